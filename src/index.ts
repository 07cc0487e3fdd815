export type { Clock } from "./base/clock.ts";
export { ManualClock, systemClock } from "./base/clock.ts";
export { defineModel, type EntityItem } from "./model/define.ts";
export type { ModelDocument } from "./model/model-document.ts";
export { ListenError } from "./server/listen-error.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server/start-server.ts";
export type { ScheduleOptions, TriggerOptions } from "./triggers/options.ts";
export { TriggerOptionsError } from "./triggers/options-error.ts";
export type { Workbench } from "./workbench/workbench.ts";

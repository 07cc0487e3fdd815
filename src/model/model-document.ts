import type { DesignDocument } from "./document-design.ts";
import type {
  EntityDocument,
  OverviewDocument,
  PatternDocument,
  RelationDocument,
  WorkflowDocument,
} from "./document-requirements.ts";

/** A whole model as it is written. The schema says what each member means. */
export interface ModelDocument {
  readonly keywright: 1;
  readonly name: string;
  readonly overview?: OverviewDocument;
  readonly entities: Readonly<Record<string, EntityDocument>>;
  readonly relations?: readonly RelationDocument[];
  readonly patterns?: Readonly<Record<string, PatternDocument>>;
  readonly workflows?: Readonly<Record<string, WorkflowDocument>>;
  readonly design?: DesignDocument;
  readonly ignore?: readonly {
    readonly rule: string;
    readonly on?: string;
    readonly reason: string;
  }[];
}

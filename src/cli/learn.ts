import {
  type Look,
  topicList,
  topicListText,
  topicPage,
  topicPageText,
  topicsWith,
  topicsWithText,
} from "../workbench/model-learn.ts";
import { lookOf } from "./look.ts";
import { textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright learn [TOPIC]`: the list, or a page. */
export async function runLearn(
  topic: string | undefined,
  json: boolean,
  args: readonly string[],
): Promise<number> {
  const search = textOption(args, "--search");
  if (search !== undefined && topic !== undefined) {
    throw new UsageError("Give a topic or --search, not both.");
  }
  const write = (value: unknown, text: (look: Look) => string): void => {
    process.stdout.write(
      json ? `${JSON.stringify(value)}\n` : text(lookOf(process.stdout, process.env)),
    );
  };
  if (search !== undefined) {
    const found = topicsWith(search);
    if (found.length === 0) throw new UsageError(`No page speaks of '${search}'.`);
    write(found, (look) => topicsWithText(found, look));
  } else if (topic === undefined) {
    write(topicList(), topicListText);
  } else {
    const found = topicPage(topic);
    if (!("page" in found)) throw new UsageError(unknown(topic, found.nearest));
    write(found.page, (look) => topicPageText(found.page, look));
  }
  return 0;
}

function unknown(topic: string, nearest: string | undefined): string {
  const hint = nearest === undefined ? "keywright learn lists them" : `did you mean '${nearest}'`;
  return `There is no topic '${topic}'; ${hint}${nearest === undefined ? "." : "?"}`;
}

/**
 * The part of Mermaid's grammar that is written here, line by line, as strictly as its own lexer: quoted texts have no
 * quote, backslash, percent or break, and signs beyond letters stand as `#35;`.
 */
const text = String.raw`"(?:[\p{L}\p{N} .,:/()=+_$€·×–…'-]|#\d+;|<br/>)+"`;
const word = "[A-Za-z_][A-Za-z0-9_-]*";
const id = "[a-z][a-z0-9]*";

const er = [
  `  ${text} \\{`,
  `    ${word} ${word}(?: (?:PK|FK|UK)(?:, (?:PK|FK|UK))*)?(?: ${text})?`,
  "  \\}",
  `  ${text} (?:\\|\\||\\}o)(?:--|\\.\\.)(?:o\\||o\\{) ${text} : ${text}`,
].map(whole);
const node = `${id}(?:\\[${text}\\]|\\[\\(${text}\\)\\]|\\(\\[${text}\\]\\))`;
const flow = [
  `  ${node}`,
  `    ${node}`,
  `  subgraph ${id}\\[${text}\\]`,
  "  end",
  `  ${id} -->(?:\\|${text}\\|)? ${id}`,
].map(whole);

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, "u");
}

/** Lines that Mermaid would not understand, and arrows between what is not there. */
export function mermaidMistakes(diagram: string): readonly string[] {
  const [head = "", ...lines] = diagram.split("\n");
  const known = head === "erDiagram" ? er : head === "flowchart LR" ? flow : [];
  const wrong = lines.filter((line) => !known.some((one) => one.test(line)));
  if (head !== "flowchart LR") return wrong;
  const ids = new Set(
    lines.flatMap((line) => new RegExp(`^ +(?:subgraph )?(${id})[[(]`).exec(line)?.[1] ?? []),
  );
  const loose = lines.flatMap((line) => {
    const [, from = "", to = ""] = new RegExp(`^  (${id}) -->.* (${id})$`).exec(line) ?? [];
    return [from, to].filter((one) => one !== "" && !ids.has(one));
  });
  const depth = lines.filter((one) => one.startsWith("  subgraph ")).length;
  const ends = lines.filter((one) => one === "  end").length;
  return [...wrong, ...loose, ...(depth === ends ? [] : ["a frame is not closed"])];
}

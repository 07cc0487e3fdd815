/**
 * Whether a text is as a pattern with `*` (any characters) and `?` (one) says. What a `*` stands for is made
 * longer only if nothing else helps, and never that of an earlier one: so it takes no longer than the
 * product of both lengths, whoever wrote the pattern.
 */
export function matches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < text.length; ) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at;
      resume = i;
      at += 1;
    } else if (wanted !== undefined && (wanted === "?" || wanted === text[i])) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      i = resume;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/// <reference lib="es2024.string" />

/**
 * A JSON escape can name half of a surrogate pair, which UTF-8 cannot hold: as bytes of a key two
 * such texts would be one. Answers the text with every half replaced by U+FFFD, as encoders do; the
 * same text if there is none.
 */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

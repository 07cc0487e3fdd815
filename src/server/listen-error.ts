/** The server could not take its port; the message says what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }

  static of(cause: unknown, port: number, host: string): ListenError {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    return new ListenError(sentence(code, port, host), code, cause);
  }
}

function sentence(code: string, port: number, host: string): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken by another program; stop it or use --port N (0 takes any free port).`;
    case "EACCES":
      return `This user may not listen on port ${port}; use --port N with a number above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; use --host 127.0.0.1 or one that is.`;
    default:
      return `Cannot listen on ${host}:${port} (${code}).`;
  }
}

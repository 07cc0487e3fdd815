/** What is no HTTP request gets a bare status line. The connection ends with it. */
export const badRequest = refusal("400 Bad Request");
export const requestTimeout = refusal("408 Request Timeout");
export const headersTooLarge = refusal("431 Request Header Fields Too Large");

function refusal(status: string): string {
  return `HTTP/1.1 ${status}\r\nServer: Server\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}

/** The text of a file in UTF-8 or, as spreadsheets of Windows write it, in Windows-1252. */
export function decodedText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

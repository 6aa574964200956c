/** Saves a file on the user's computer; the name that it was offered by. */
export function saveFile(name: string, file: Blob): string {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it after the click
  return link.download;
}

export function saveText(name: string, text: string, type = "text/plain"): string {
  return saveFile(name, new Blob([text], { type }));
}

/** What a file of shapes measures. */

/** Of a file so much is read. */
const HEAD = 256 << 10;
const MOST = 50;

/** The names of the numbers that the first features of a GeoJSON have as measurements. */
export async function measurementsOf(file: Blob): Promise<readonly string[]> {
  return measurementNames(await file.slice(0, HEAD).text());
}

export function measurementNames(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [, members] of text.matchAll(/"measurements"\s*:\s*\{([^{}]*)\}/g))
    for (const [, name] of members!.matchAll(/"((?:[^"\\]|\\.)+)"\s*:\s*-?\d/g))
      names.add(JSON.parse(`"${name!}"`) as string);
  return [...names].slice(0, MOST);
}

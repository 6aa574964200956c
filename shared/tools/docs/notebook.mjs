// The tutorial of the client as a Jupyter notebook (nbformat 4.5): the same text and the same code, ready to run.
export const NOTEBOOK = "reference/client.ipynb";

/** The address of the slide, where a reader changes it; the tutorial has it as a line of text. */
const ADDRESS = /^ {4}(url = ".+")$/m;
const CODE = /^```python\n([\s\S]*?)^```$/gm;
/** Links between documents, which lead nowhere from a notebook. */
const LINK = /\[([^\]]+)\]\((?!https?:)[^)]+\)/g;

/** The text of an .ipynb file. */
export function notebook(tutorial) {
  const [, address] = ADDRESS.exec(tutorial);
  const text = tutorial.replace(ADDRESS, `\`\`\`python\n${address}\n\`\`\``).replaceAll(LINK, "$1");
  const cells = [];
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    cells.push(markdown(text.slice(end, match.index)), code(match[1]));
    end = match.index + match[0].length;
  }
  cells.push(markdown(text.slice(end)));
  const found = cells.filter(({ source }) => source.length).map((cell, number) => ({ id: `cell-${number}`, ...cell }));
  const kernelspec = { display_name: "Python 3", language: "python", name: "python3" };
  const metadata = { kernelspec, language_info: { name: "python" } };
  return `${JSON.stringify({ cells: found, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** Lines with their ends, as the format has them. */
const lines = (text) => text.trim().match(/.+\n?|\n/g) ?? [];
const markdown = (text) => ({ cell_type: "markdown", metadata: {}, source: lines(text) });
const code = (text) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: lines(text) });

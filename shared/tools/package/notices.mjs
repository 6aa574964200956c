// NOTICES.txt of wheel and sdist: what they contain of others, with the texts of the licences, and what is installed beside them.
const LINE = "-".repeat(100);

/** `python`: packages that are installed beside the wheel; only named, because each brings its own licence. */
export function notices({ version, page, built, python, zig }) {
  const parts = [
    `Third-party notices of Wavescope ${version}`,
    "Wavescope itself is licensed under the Apache License 2.0, see LICENSE. The built page contains code of the packages of part 1. Part 2 is " +
      "the compiler of the kernel, whose runtime library may be in it. Part 3 lists what an installer fetches beside the wheel.",
    "1. In the page",
    ...[...page, ...built].map(({ name, version: its, license, texts }) =>
      section(`${name} ${its} (${license})`, texts),
    ),
    "2. In the kernel",
    section(`Zig ${zig.version} (MIT)`, [zig.license]),
    "3. Installed beside the wheel",
    python
      .map(
        ({ name, version: its, license, scope }) =>
          `${name} ${its} (${license})${scope === "optional" ? ", by an extra" : ""}`,
      )
      .join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

const section = (title, texts) => [LINE, title, ...texts].join("\n\n");

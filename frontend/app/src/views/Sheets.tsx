import { useCallback } from "react";
import { type CountItem, type Item, type Layout, type ViewItem, gridOf, needsSheet, sheetsOf } from "./sheets";
import styles from "./views.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The sheets as they are printed: on the screen they differ by their scale alone. */
export function Sheets({ items, layout }: { readonly items: readonly Item[]; readonly layout: Layout }) {
  const { paper, direction, title, perSheet } = layout;
  const sheets = sheetsOf(items, perSheet, needsSheet).map((members) => ({
    members,
    ...gridOf({ ...layout, perSheet: needsSheet(members[0]!) ? 1 : perSheet }),
  }));
  return (
    <section className={styles.sheets} aria-label={t("views.preview")}>
      {sheets.map(({ members, columns, rows }, i) => (
        <article
          key={members[0]!.id}
          className={styles.sheet}
          data-paper={paper}
          data-direction={direction}
          data-testid="sheet"
        >
          <header className={styles.sheetHead}>
            <span>{title}</span>
            <span>{t("views.sheet", { number: i + 1, count: sheets.length })}</span>
          </header>
          <div className={styles.places} data-columns={columns} data-rows={rows}>
            {members.map((item) => (
              <figure key={item.id} className={styles.place}>
                {item.kind === "text" && <figcaption className={styles.heading}>{item.caption}</figcaption>}
                <Body item={item} />
                {item.kind !== "text" && <figcaption className={styles.caption}>{item.caption}</figcaption>}
              </figure>
            ))}
          </div>
        </article>
      ))}
    </section>
  );
}

function Body({ item }: { readonly item: Item }) {
  switch (item.kind) {
    case "view":
      return <Picture item={item} />;
    case "count":
      return <Table item={item} />;
    case "text":
      return (
        <p className={styles.text} data-testid="sheet-text">
          {item.text}
        </p>
      );
  }
}

function Picture({ item: { picture, slide, caption } }: { readonly item: ViewItem }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(picture);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [picture],
  );
  return (
    <div className={styles.picture}>
      <img ref={show} alt={t("views.pictureOf", { slide, caption })} />
    </div>
  );
}

function Table({ item: { slide, head, rows, notes } }: { readonly item: CountItem }) {
  return (
    <div className={styles.count}>
      <p>{slide}</p>
      <table data-testid="sheet-count">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={head[i + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

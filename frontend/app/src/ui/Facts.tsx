import styles from "./facts.module.css";

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly href?: string;
}

/** Names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, href }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{href ? <a href={href}>{value}</a> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Types of JSON documents. */

export type Json = Readonly<Record<string, unknown>>;

/** As it is, and not to be changed. */
export type Fixed<T> = T extends readonly (infer U)[]
  ? readonly Fixed<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Fixed<T[K]> }
    : T;

/** Stubs for tests: objects of which the code under test uses a few members only. */

/** Some members of T, at any depth. Their names are checked; of functions only that they are functions: fakes take fewer parameters. */
export type Some<T> = T extends (...args: never[]) => unknown
  ? (...args: never[]) => unknown
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [K in keyof T]?: Some<T[K]> }
      : T;

/** The given members as a whole T. A test that reads another member reads undefined. */
export function stub<T extends object>(members: Some<T> & object): T {
  const whole: object = members;
  return whole as T;
}

/** Small readers that turn unknown JSON into typed values or throw a ShapeError that names the place. */
import { ShapeError } from "./errors";

export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, place: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ShapeError(`${place} is not an object`);
  return value as Json;
}

export function asArray(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${place} is not a list`);
  return value;
}

export function text(from: Json, key: string): string {
  const value = from[key];
  if (typeof value !== "string") throw new ShapeError(`${key} is not a text`);
  return value;
}

export function textOrNull(from: Json, key: string): string | null {
  const value = from[key];
  return value === null || value === undefined ? null : text(from, key);
}

export function numberOf(from: Json, key: string): number {
  const value = from[key];
  if (typeof value !== "number" || !Number.isFinite(value)) throw new ShapeError(`${key} is not a number`);
  return value;
}

export function truth(from: Json, key: string): boolean {
  const value = from[key];
  if (typeof value !== "boolean") throw new ShapeError(`${key} is neither true nor false`);
  return value;
}

export function numberOrNull(from: Json, key: string): number | null {
  const value = from[key];
  return value === null || value === undefined ? null : numberOf(from, key);
}

/** A whole number within [least, most]. */
export function whole(from: Json, key: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = numberOf(from, key);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new ShapeError(`${key} is out of range: ${value}`);
  return value;
}

import { lazy, type ComponentType } from 'react';

/** A part of the console that is fetched when it is first opened. */
export function later<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

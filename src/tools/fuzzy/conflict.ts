import type { MergeInput } from './merge';

export function findConflict(_input: MergeInput): string | undefined {
  return undefined;
}

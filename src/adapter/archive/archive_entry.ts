/** One entry of an archive. */
export type ArchiveEntry =
  | { type: 'file'; path: string; facts: EntryFacts; content: FileContent }
  | { type: 'directory'; path: string; facts: EntryFacts }
  | { type: 'symlink'; path: string; facts: EntryFacts; target: string };

export interface EntryFacts {
  /** Permissions. */
  mode: number;
  changedAt: Date;
}

/** `read` yields exactly `bytes` bytes. */
export interface FileContent {
  bytes: number;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Entries that are not files of the gateway carry no time, so that equal data makes equal archives. */
const OWN: EntryFacts = { mode: 0o600, changedAt: new Date(0) };

export const ownEntry = (path: string, content: Uint8Array): ArchiveEntry => ({
  type: 'file',
  path,
  facts: OWN,
  content: { bytes: content.byteLength, read: () => [content] },
});

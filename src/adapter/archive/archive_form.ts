/** The form of archives: a tar with a header, the rows of tables as JSON lines, files, and a manifest with counts and hashes as its last entry. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** One sentence for the operator: an archive or a place of data cannot be used. */
export class ArchiveError extends Error {}

/** There is no database of a gateway at an address. */
export class NoStoreError extends ArchiveError {}

/** Names stand in statements. */
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' });

const Column = Type.Object({
  name: Name,
  /** The value in a JSON line: `bytes` are base64. */
  type: Type.Union([Type.Literal('text'), Type.Literal('integer'), Type.Literal('number'), Type.Literal('bytes')]),
});

const TableLayout = Type.Object({
  name: Name,
  /** The columns by which the rows are ordered. */
  key: Type.Array(Name),
  /** In the order of their names. */
  columns: Type.Array(Column),
});
export type TableLayout = Static<typeof TableLayout>;

const ArchiveHeader = Type.Object({
  format: Type.Literal('neta-gateway archive'),
  formatVersion: Type.Literal(1),
  /** Version of the gateway that wrote the archive. */
  gateway: Type.String(),
  /** Time of the backup. Absent in exports, so that equal data makes equal files. */
  createdAt: Type.Optional(Type.String()),
  /** The applied migrations of the database. */
  migrations: Type.Array(Type.String()),
  /** Each table stands behind the tables to which its rows refer. */
  tables: Type.Array(TableLayout),
});
export type ArchiveHeader = Static<typeof ArchiveHeader>;

const ArchiveManifest = Type.Object({
  /** Name of a table -> number of its rows. */
  rows: Type.Record(Type.String(), Type.Integer()),
  /** Path of an entry -> its content. */
  entries: Type.Record(Type.String(), Type.Object({ bytes: Type.Integer(), sha256: Type.String() })),
  /** Files that changed while the backup read them, or could not be read. */
  incomplete: Type.Array(Type.String()),
});
export type ArchiveManifest = Static<typeof ArchiveManifest>;

export const HEADER_PATH = 'archive.json';
export const MANIFEST_PATH = 'manifest.json';
export const SETTINGS_PATH = 'settings.json';
/** Entries of rows begin with this, then the name of the table and the number of the part. */
const ROWS = 'rows/';
/** Entries of files begin with this, then the name of the place. */
export const FILES = 'files/';

export const rowsPath = (table: string, part: number): string => `${ROWS}${table}/${String(part).padStart(6, '0')}.jsonl`;

/** Returns the table whose rows an entry holds; undefined for another entry. */
export const tableOf = (path: string): string | undefined => (path.startsWith(ROWS) ? path.split('/')[1] : undefined);

/** Returns the paths of files, links and empty directories: a directory with files has an entry for its mode alone. */
export function filePathsOf({ entries }: ArchiveManifest): string[] {
  const paths = Object.keys(entries).filter(path => path.startsWith(FILES));
  const parents = new Set(paths.map(path => path.slice(0, path.lastIndexOf('/'))));
  return paths.filter(path => !parents.has(path));
}

export const decodeHeader = (json: string): ArchiveHeader => decode(ArchiveHeader, json, HEADER_PATH);
export const decodeManifest = (json: string): ArchiveManifest => decode(ArchiveManifest, json, MANIFEST_PATH);

/** Returns the text of a header or a manifest. */
export const encode = (value: ArchiveHeader | ArchiveManifest): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`);

function decode<S extends typeof ArchiveHeader | typeof ArchiveManifest>(schema: S, json: string, path: string): Static<S> {
  const value: unknown = parse(json, path);
  const [problem] = Value.Errors(schema, value);
  if (problem) throw new ArchiveError(`${path} of the archive cannot be used: ${problem.path} ${problem.message}.`);
  return value as Static<S>;
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ArchiveError(`${path} of the archive is no JSON.`, { cause });
  }
}

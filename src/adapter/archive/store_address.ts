/** Names a store, such as `sqlite:data/neta.db` or `postgres://...`. */
import { join, resolve } from 'node:path';
import type { StorePlace } from '../open_store';
import { publicAddress } from '../postgres/postgres_address';
import { ArchiveError } from './archive_form';

export type StoreAddress = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

export const addressOf = ({ databaseUrl, dataDir }: StorePlace): StoreAddress =>
  databaseUrl === undefined ? { kind: 'sqlite', path: join(dataDir, 'neta.db') } : { kind: 'postgres', url: databaseUrl };

/** Reads an address. `sqlite` and `postgres` alone mean the data directory and the database of the settings. Throws an ArchiveError. */
export function readAddress(text: string, { dataDir, databaseUrl }: StorePlace): StoreAddress {
  if (text === 'sqlite') return addressOf({ dataDir });
  if (text.startsWith('sqlite:')) return { kind: 'sqlite', path: resolve(text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')) };
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', url: text };
  if (text !== 'postgres') throw new ArchiveError(`"${text}" names no store: write sqlite, sqlite:<path>, postgres or postgres://...`);
  if (databaseUrl === undefined) throw new ArchiveError('"postgres" means the database of DATABASE_URL, which is not set.');
  return { kind: 'postgres', url: databaseUrl };
}

/** The address for messages, without a password. */
export const describeAddress = (address: StoreAddress): string => (address.kind === 'sqlite' ? address.path : publicAddress(address.url));

export const isSameStore = (a: StoreAddress, b: StoreAddress): boolean => JSON.stringify(a) === JSON.stringify(b);

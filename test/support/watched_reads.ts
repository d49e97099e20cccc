import type { StoreReader } from '../../src/port/store/store';

/** Returns the same reads, and calls `note` with `owner.method` before each. */
export function watchReads(read: StoreReader, note: (name: string) => void): StoreReader {
  const watch = (owner: string, table: object): object =>
    new Proxy(table, {
      get(target, method) {
        note(`${owner}.${String(method)}`);
        const value: unknown = Reflect.get(target, method);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return new Proxy(read, { get: (owners, owner) => watch(String(owner), Reflect.get(owners, owner)) });
}

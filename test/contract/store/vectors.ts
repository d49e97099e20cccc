import type { CurrentStore } from '../store_contract';

const vector = (...numbers: number[]) => Float32Array.from(numbers);

export function describeVectors(store: CurrentStore): void {
  const put = (model: string, hashes: readonly string[], usedAt = 1_000) =>
    store().transaction('none', tx =>
      tx.vectors.put(
        model,
        hashes.map((hash, i) => ({ hash, vector: vector(i, 0.5) })),
        usedAt,
      ),
    );
  const hashesOf = async (model: string, ...hashes: string[]) =>
    (await store().read.vectors.read(model, hashes)).map(({ hash }) => hash).toSorted();

  test('reads vectors as they were stored, for their model only', async () => {
    await put('small', ['a', 'b']);
    expect(await store().read.vectors.read('small', ['b', 'c'])).toEqual([{ hash: 'b', vector: vector(1, 0.5), usedAt: 1_000 }]);
    expect(await hashesOf('large', 'a')).toEqual([]);
    expect(await hashesOf('small')).toEqual([]);
  });

  test('reads many at once', async () => {
    const hashes = Array.from({ length: 250 }, (_, i) => `hash ${i}`);
    await put('small', hashes);
    expect(await hashesOf('small', ...hashes)).toHaveLength(250);
  });

  test('replaces a vector, marks its use, and deletes it for every model', async () => {
    await put('small', ['a', 'b']);
    await put('large', ['a']);
    await store().transaction('none', tx => tx.vectors.put('small', [{ hash: 'a', vector: vector(7) }], 2_000));
    await store().transaction('none', tx => tx.vectors.markUsed('small', ['a', 'z'], 3_000));
    expect(await store().read.vectors.read('small', ['a'])).toEqual([{ hash: 'a', vector: vector(7), usedAt: 3_000 }]);
    await store().transaction('none', tx => tx.vectors.delete(['a', 'z']));
    expect([await hashesOf('small', 'a', 'b'), await hashesOf('large', 'a')]).toEqual([['b'], []]);
  });

  test('deletes those that were not used for long, and beyond a number the ones that were used least recently', async () => {
    await put('old', ['a'], 1_000);
    await put('small', ['b', 'c'], 2_000);
    await put('small', ['d'], 3_000);
    await store().transaction('none', tx => tx.vectors.deleteOld(2_000, 2));
    expect(await hashesOf('old', 'a')).toEqual([]);
    expect(await hashesOf('small', 'b', 'c', 'd')).toEqual(['c', 'd']);
  });
}

import { AppError, inOneLanguage } from '../../../src/errors';
import type { EmbeddingPort } from '../../../src/port/embedding';
import { EmbeddingService } from '../../../src/service/embedding/embedding_service';
import { fuseRankings, similarity } from '../../../src/service/embedding/similarity';
import { vectorKey } from '../../../src/service/embedding/vector_key';
import { createManualClock, type ManualClock } from '../../support/manual_clock';
import { openTemporaryStore } from '../../support/temporary_store';

type Temporary = Awaited<ReturnType<typeof openTemporaryStore>>;

let temporary: Temporary;
let clock: ManualClock;
let calls: string[][];
let logged: string[];
let fail: ((texts: readonly string[]) => void) | undefined;
let services: EmbeddingService[];

beforeEach(async () => {
  temporary = await openTemporaryStore();
  clock = createManualClock();
  calls = [];
  logged = [];
  services = [];
  fail = undefined;
});
afterEach(async () => {
  for (const service of services) service.stop();
  await temporary.release();
});

const create = (model = 'small', dimensions = 2): EmbeddingService => {
  const embedding: EmbeddingPort = {
    model,
    provider: 'none',
    embed: async texts => {
      calls.push([...texts]);
      fail?.(texts);
      return texts.map(text => Float32Array.from({ length: dimensions }, (_, i) => (i === 0 ? text.length : 1)));
    },
  };
  const service = new EmbeddingService({ store: temporary.store, clock, embedding, onError: message => void logged.push(message) });
  services.push(service);
  return service;
};

/** Resolves once the vectors of all texts are known. */
async function waitForVectors(
  service: EmbeddingService,
  texts: readonly string[],
  tenantId?: string,
): Promise<ReadonlyMap<string, Float32Array>> {
  for (;;) {
    const found = await service.vectorsFor(texts, tenantId);
    if (found.size === texts.length) return found;
    await new Promise(resolve => setImmediate(resolve));
  }
}
const settle = async () => {
  for (let i = 0; i < 20; i += 1) await new Promise(resolve => setImmediate(resolve));
};

it('embeds missing texts in batches behind the caller, once, and finds them in the store in the next process', async () => {
  const texts = Array.from({ length: 40 }, (_, i) => 'x'.repeat(i + 1));
  const service = create();
  expect((await service.vectorsFor(texts)).size).toBe(0);
  const found = await waitForVectors(service, texts);
  expect(found.get('xxx')).toEqual(Float32Array.of(3, 1));
  expect(calls.map(batch => batch.length)).toEqual([16, 16, 8]);
  await settle();
  expect((await create().vectorsFor(texts)).size).toBe(40);
  expect(calls).toHaveLength(3);
});

it('does nothing without a model', async () => {
  const service = new EmbeddingService({ store: temporary.store, clock, onError: message => void logged.push(message) });
  expect(service.isEnabled).toBe(false);
  expect((await service.vectorsFor(['tea'])).size).toBe(0);
  expect(await service.queryVector('tea', 'acme')).toBeUndefined();
  expect(service.listWarnings()).toEqual([]);
});

it('logs a failing server once, warns until it answers, and leaves it alone for longer and longer', async () => {
  const service = create();
  fail = () => {
    throw new AppError('model_unreachable', inOneLanguage('nothing listens at its address'));
  };
  await service.vectorsFor(['tea']);
  await settle();
  expect(service.listWarnings()).toEqual([expect.stringMatching(/embeddings \(small\) fail.*words alone: nothing listens/)]);
  expect(await service.queryVector('oolong', 'acme')).toBeUndefined();
  expect(calls).toHaveLength(1);
  clock.advance(5_000);
  await settle();
  expect(calls).toHaveLength(2);
  clock.advance(5_000);
  await settle();
  expect(calls).toHaveLength(2);
  fail = undefined;
  clock.advance(5_000);
  await settle();
  expect((await service.vectorsFor(['tea'])).size).toBe(1);
  expect([service.listWarnings(), logged.length]).toEqual([[], 1]);
});

it('finds the text that the server refuses, and embeds the others', async () => {
  const service = create();
  await waitForVectors(service, ['first']);
  fail = texts => {
    if (texts.includes('bad')) throw new AppError('model_refused', { details: { status: 400 } });
  };
  const good = Array.from({ length: 20 }, (_, i) => `good ${i}`);
  await service.vectorsFor([...good.slice(0, 5), 'bad', ...good.slice(5)]);
  await waitForVectors(service, good);
  expect((await service.vectorsFor(['bad'])).size).toBe(0);
  expect(logged).toEqual([expect.stringContaining('refuses a text')]);
});

it('resolves without a query vector when the server is slow, and has it for the next search', async () => {
  let release = () => {};
  const slow = new Promise<void>(resolve => {
    release = resolve;
  });
  const asked: string[] = [];
  const embed: EmbeddingPort['embed'] = async texts => {
    asked.push(...texts);
    await slow;
    return [Float32Array.of(1, 0)];
  };
  const embedding: EmbeddingPort = { model: 'slow', provider: 'none', embed };
  const service = new EmbeddingService({ store: temporary.store, clock, embedding, onError: message => void logged.push(message) });
  services.push(service);
  // Queries of another tenant take no place of this one.
  for (let i = 0; i < 10; i += 1) void service.queryVector(`tea ${i}`, 'globex');
  const first = service.queryVector('tea', 'acme');
  clock.advance(800);
  expect(await first).toBeUndefined();
  expect(asked.slice(8)).toEqual(['tea']);
  release();
  await settle();
  expect(await service.queryVector('tea', 'acme')).toEqual(Float32Array.of(1, 0));
});

it('keeps nothing of a text that was forgotten while it was embedded', async () => {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const embedding: EmbeddingPort = {
    model: 'small',
    provider: 'none',
    embed: texts => held.then(() => texts.map(() => Float32Array.of(1, 0))),
  };
  const service = new EmbeddingService({ store: temporary.store, clock, embedding, onError: message => void logged.push(message) });
  services.push(service);
  await service.vectorsFor(['secret tea', 'tea'], 'acme');
  service.forgetTexts(['secret tea'], 'acme');
  release();
  await settle();
  const hashes = ['secret tea', 'tea'].map(text => vectorKey(text, 'acme'));
  expect((await temporary.store.read.vectors.read('small', hashes)).map(({ hash }) => hash)).toEqual([hashes[1]]);
});

it('tells no tenant by a vector that is there already what another one wrote, and deletes no vector of others', async () => {
  const service = create();
  await waitForVectors(service, ['the vault is behind the clock'], 'acme');
  await service.queryVector('who is new', 'acme');
  const before = calls.length;
  expect((await service.vectorsFor(['the vault is behind the clock'], 'globex')).size).toBe(0);
  await service.queryVector('who is new', 'globex');
  await waitForVectors(service, ['the vault is behind the clock'], 'globex');
  expect(calls.slice(before).flat().sort()).toEqual(['the vault is behind the clock', 'who is new']);
  await settle();
  const forgotten = service.forgetTexts(['the vault is behind the clock'], 'globex');
  await temporary.store.transaction('none', tx => tx.vectors.delete(forgotten));
  expect((await create().vectorsFor(['the vault is behind the clock'], 'acme')).size).toBe(1);
});

it('embeds texts again when the server has changed the number of dimensions', async () => {
  await waitForVectors(create(), ['tea', 'coffee']);
  await settle();
  const changed = create('small', 3);
  await changed.queryVector('drinks', 'acme');
  const found = await waitForVectors(changed, ['tea', 'coffee']);
  expect(found.get('tea')).toHaveLength(3);
});

it('compares vectors, and finds nothing in common between those of different models', () => {
  expect(similarity(Float32Array.of(0.6, 0.8), Float32Array.of(0.6, 0.8))).toBeCloseTo(1);
  expect(similarity(Float32Array.of(1, 0), Float32Array.of(0, 1))).toBe(0);
  expect(similarity(Float32Array.of(1, 0), Float32Array.of(1, 0, 0))).toBe(0);
});

it('mixes rankings: what stands in both comes first', () => {
  expect(fuseRankings(['a', 'b', 'c'], ['d', 'b'])).toEqual(['b', 'a', 'd', 'c']);
  expect(fuseRankings([], ['x'])).toEqual(['x']);
});

import fc from 'fast-check';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../../../src/adapter/openai/model_limits';
import { ToolCallAssembler } from '../../../src/adapter/openai/tool_call_assembler';

type Fragment = Record<string, unknown>;

/** Returns the calls of these fragments as `id name arguments`; a made id is `new`. */
function callsOf(fragments: readonly unknown[], limits: Partial<ModelLimits> = {}): string[] {
  const assembler = new ToolCallAssembler({ ...DEFAULT_MODEL_LIMITS, ...limits });
  for (const fragment of fragments) assembler.add(fragment);
  return assembler.finish(() => 'new', true).calls.map(call => `${call.id} ${call.function.name} ${call.function.arguments}`);
}

/** A fragment in a list of its own, as one delta has it. */
const part = (args: unknown, { name, ...fields }: Fragment = {}): Fragment[] => [
  { index: 0, ...fields, function: { ...(name !== undefined && { name }), arguments: args } },
];
const loose = (args: unknown, fields: Fragment = {}) => part(args, { index: undefined, ...fields });
const A = { id: 'a', name: 'write' };

describe('one call runs once, however a server spells it', () => {
  test.each<[string, Fragment[][]]>([
    ['the name again in every delta, the last one without arguments', [part('', A), part('{"n":', A), part('1}', A), part('', A)]],
    [
      'the name again in every delta, no id',
      [part('{"n":', { name: 'write' }), part('1}', { name: 'write' }), part('', { name: 'write' })],
    ],
    ['an empty object before the arguments', [part('{}', A), part('{"n":'), part('1}')]],
    ['an empty object before the arguments, the name again', [part('{}', A), part('{"n":1}', { name: 'write' })]],
    ['an empty object as JSON value before the arguments', [part({}, A), part('{"n":1}', A)]],
    ['the text null before the arguments', [part('null', A), part('{"n":1}')]],
    ['null before the arguments', [part(null, A), part('{"n":1}')]],
    ['an empty object behind the arguments', [part('{"n":1}', A), part('{}', A)]],
    ['the whole call again at the end', [part('{"n"', A), part(':1}'), part('{"n":1}', A)]],
    ['the whole call again at the end, in other white space', [part('{"n":1}', A), part('{ "n": 1 }', A)]],
    ['the whole call again at the end, in pieces', [part('{"n":1}', A), part('', A), part('{"n"'), part(':1}')]],
    ['the whole call again at the end under a new id', [part('{"n"', A), part(':1}'), part('{"n":1}', { id: 'z', name: 'write' })]],
    ['the whole arguments again without a name', [part('{"n":1}', A), part('{"n":1}')]],
    ['all arguments so far in every delta', [part('{"n', A), part('{"n":'), part('{"n":1}'), part('{"n":1}', A)]],
    ['arguments that grow as JSON values', [part({}, A), part({ n: 1 }, A)]],
    ['a new id in every delta, no index', [loose('{"n"', A), loose(':1}', { id: 'b' })]],
    ['a new id and the name in every delta, no index', [loose('', A), loose('{"n"', { ...A, id: 'b' }), loose(':1}', { ...A, id: 'c' })]],
    ['a new index in every delta', [part('', A), part('{"n"', { index: 1 }), part(':1}', { index: 2 })]],
    ['a new index in every delta, the id again', [part('{"n"', A), part(':1}', { index: 1, id: 'a' })]],
    ['an index in the first delta alone', [part('{"n"', A), loose(':1}')]],
    ['an index in the last delta alone', [loose('{"n"', A), part(':1}', { id: 'a' })]],
    ['an index as text', [part('{"n"', { ...A, index: '0' }), part(':1}', { index: 0 })]],
    ['a name that grows', [part('', { id: 'a', name: 'wr' }), part('', { name: 'write' }), part('{"n":1}')]],
    ['a JSON object instead of its text', [part({ n: 1 }, A)]],
  ])('%s', (_, fragments) => {
    const [call, ...others] = callsOf(fragments);
    expect([call?.replaceAll(/[ "]/g, ''), others]).toEqual([expect.stringMatching(/^(?:a|new)write\{n:1\}$/), []]);
  });

  test('fields beside each other, and a call that is no list', () => {
    const assembler = new ToolCallAssembler(DEFAULT_MODEL_LIMITS);
    assembler.add({ index: 0, id: 'a', name: 'write', arguments: '{"n":1}' });
    expect(assembler.finish(() => 'new', true).calls).toMatchObject([{ id: 'a', function: { name: 'write', arguments: '{"n":1}' } }]);
  });

  test('the same call in the old format too', () => {
    const assembler = new ToolCallAssembler(DEFAULT_MODEL_LIMITS);
    assembler.addLegacy({ name: 'write', arguments: '{"n":1}' });
    assembler.add(part('{"n":1}', A));
    expect(assembler.finish(() => 'new', true).calls).toHaveLength(1);
  });
});

describe('two calls stay two', () => {
  test.each<[string, Fragment[][], string[]]>([
    ['equal but for the index', [part('{"n":1}', A), part('{"n":1}', { ...A, index: 1 })], ['a write {"n":1}', 'new write {"n":1}']],
    ['equal but for the id', [loose('{"n":1}', A), loose('{"n":1}', { ...A, id: 'b' })], ['a write {"n":1}', 'b write {"n":1}']],
    [
      'without ids and indices',
      [loose('{"n":1}', { name: 'write' }), loose('{"n":12}', { name: 'write' })],
      ['new write {"n":1}', 'new write {"n":12}'],
    ],
    [
      'without ids and indices, the name in a delta of its own',
      [loose('', { name: 'write' }), loose('{"n":1}'), loose('', { name: 'write' }), loose('{"n":'), loose('2}')],
      ['new write {"n":1}', 'new write {"n":2}'],
    ],
    ['with one id for both', [loose('{"n":1}', A), loose('{"n":2}', A)], ['a write {"n":1}', 'new write {"n":2}']],
    [
      'on one index, taking turns by id',
      [part('', A), part('', { ...A, id: 'b' }), part('{"n":1}', { id: 'a' }), part('{"n":2}', { id: 'b' })],
      ['a write {"n":1}', 'b write {"n":2}'],
    ],
    ['one without arguments', [part('', { id: 'a', name: 'now' }), part('{}', { id: 'b', name: 'list' })], ['a now {}', 'b list {}']],
    [
      'of one delta',
      [[...loose('{"n":1}', { name: 'write' }), ...loose('{"n":2}', { name: 'write' })]],
      ['new write {"n":1}', 'new write {"n":2}'],
    ],
  ])('%s', (_, fragments, expected) => expect(callsOf(fragments)).toEqual(expected));
});

test('arguments that are no JSON stay as the model wrote them', () => {
  expect(callsOf([part('{"n":1} and', A), part(' more {}', A)])).toEqual(['a write {"n":1} and more {}']);
  expect(callsOf([part('{"n":1}', A), part(' that is all')])).toEqual(['a write {"n":1} that is all']);
  expect(callsOf([part('{"a":', A), part('{"a":'), part('1}}')])).toEqual(['a write {"a":{"a":1}}']);
  expect(callsOf([part('{"a":', A), part('{"a":1}'), part('}')])).toEqual(['a write {"a":{"a":1}}']);
  expect(callsOf([part('{"', A), part('{":'), part('{":x":1}'), part('}')])).toEqual(['a write {"{":{":x":1}}']);
});

test('reading stays quick for arguments of many small pieces', () => {
  const pieces = '}'.repeat(40_000).split('');
  // Processor time, because a busy machine lets the test wait.
  const started = process.cpuUsage();
  const [call] = callsOf([part('{"code":"', A), ...pieces.map(piece => part(piece)), part('"}')]);
  expect(call).toHaveLength('a write {"code":""}'.length + 40_000);
  expect(callsOf([part('{}', A), ...pieces.map(() => part('{}x'))])).toHaveLength(1);
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
});

test('arguments that come whole in each delta count once against the limits', () => {
  const text = JSON.stringify({ text: 'x'.repeat(4_000) });
  const growing = [...Array(400)].map((_, i) => part(text.slice(0, 2 + i * 10), i === 0 ? A : {}));
  expect(callsOf([...growing, part(text)], { maxArgumentBytes: 8_192, maxAllArgumentBytes: 8_192 })).toEqual([`a write ${text}`]);
});

interface Call {
  name: string;
  args: Record<string, unknown>;
}
/** Arguments in pieces. */
type Pieces = (call: Call, i: number) => string[];
type Spelling = (calls: readonly Call[], pieces: Pieces) => Fragment[];

const fragment = (fields: Fragment, name: string | undefined, args: unknown): Fragment => ({
  ...fields,
  function: { ...(name !== undefined && { name }), arguments: args },
});
/** Spells each call by itself; `fieldsOf` gives the index and the id of its nth fragment. */
const each =
  (
    spell: (call: Call, pieces: string[]) => [name: string | undefined, args: unknown][],
    fieldsOf: (i: number, n: number) => Fragment,
  ): Spelling =>
  (calls, pieces) =>
    calls.flatMap((call, i) => spell(call, pieces(call, i)).map(([name, args], n) => fragment(fieldsOf(i, n), name, args)));

const WAYS: Record<string, (call: Call, pieces: string[]) => [string | undefined, unknown][]> = {
  'in pieces': ({ name }, pieces) => [[name, ''], ...pieces.map((piece): [undefined, string] => [undefined, piece])],
  'the name in every delta': ({ name }, pieces) => [...pieces.map((piece): [string, string] => [name, piece]), [name, '']],
  'an empty object first': ({ name }, pieces) => [[name, '{}'], ...pieces.map((piece): [undefined, string] => [undefined, piece])],
  'whole again at the end': ({ name, args }, pieces) => [
    ...pieces.map((piece, n): [string | undefined, string] => [n === 0 ? name : undefined, piece]),
    [name, JSON.stringify(args)],
  ],
  cumulative: ({ name }, pieces) =>
    pieces.map((_, n): [string | undefined, string] => [n === 0 ? name : undefined, pieces.slice(0, n + 1).join('')]),
  'cumulative with names': ({ name }, pieces) => pieces.map((_, n): [string, string] => [name, pieces.slice(0, n + 1).join('')]),
  'as JSON values': ({ name, args }) => [[name, args]],
};
const PLACES: Record<string, (i: number, n: number) => Fragment> = {
  'index and id': (i, n) => ({ index: i, ...(n === 0 && { id: `call_${i}` }) }),
  'index, no ids': i => ({ index: i }),
  'index as text, id in every delta': i => ({ index: String(i), id: `call_${i}` }),
  'no index, ids': (i, n) => ({ ...(n === 0 && { id: `call_${i}` }) }),
  'no index, id in every delta': i => ({ id: `call_${i}` }),
  'no index, no ids': () => ({}),
  'one index for all, ids': (i, n) => ({ index: 0, ...(n === 0 && { id: `call_${i}` }) }),
  'one index for all, no ids': () => ({ index: 0 }),
  'one index and one id for all': () => ({ index: 0, id: 'call_0' }),
};
const NEW_IDS = (i: number, n: number): Fragment => ({ id: `call_${i}_${n}` });

const callLists = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('bash', 'read_file', 'write_file'),
    args: fc.dictionary(
      fc.constantFrom('path', 'a', '{', '"'),
      fc.oneof(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', ':', ' ', 'x', '1') }), fc.jsonValue({ maxDepth: 2 })),
      {
        minKeys: 1,
      },
    ),
  }),
  { minLength: 1, maxLength: 4, selector: call => JSON.stringify(call) },
);

describe('any split of any calls gives the same calls', () => {
  const rows = Object.entries(WAYS).flatMap(([way, spell]) =>
    Object.entries(PLACES).map(([place, fields]) => [way, place, each(spell, fields)] as const),
  );
  const inPieces = WAYS['in pieces'] as (typeof WAYS)[string];
  test.each([...rows, ['in pieces', 'a new id in every delta', each(inPieces, NEW_IDS)] as const])('%s; %s', (_way, place, spell) => {
    fc.assert(
      fc.property(callLists, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (lists, sizes) => {
        // Under one id, arguments that grow are one call.
        const calls = place.includes('one id') ? lists.map(({ name, args }, i) => ({ name, args: { ...args, n: i } })) : lists;
        const split: Pieces = ({ args }) => {
          const pieces: string[] = [];
          for (let rest = JSON.stringify(args); rest !== ''; ) {
            const size = Number(sizes.next().value);
            pieces.push(rest.slice(0, size));
            rest = rest.slice(size);
          }
          return pieces;
        };
        const assembler = new ToolCallAssembler(DEFAULT_MODEL_LIMITS);
        for (const one of spell(calls, split)) assembler.add([one]);
        const found = assembler.finish(() => 'new', true).calls;
        expect(found.map(call => ({ name: call.function.name, args: JSON.parse(call.function.arguments) }))).toEqual(
          calls.map(({ name, args }) => ({ name, args: JSON.parse(JSON.stringify(args)) })),
        );
      }),
      { numRuns: 30 },
    );
  });
});

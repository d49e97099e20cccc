import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
const SELF = fileURLToPath(import.meta.url);

/** Prints CPU time by file size for each kind of quotation, memory at the largest size, and CPU time for adversarial inputs. */
export function measureGrowth(enginePath) {
  console.log(`\n| CPU ms | ${SIZES.map(size => `${size / 1000} kB`).join(' | ')} | extra memory at 10 MB |`);
  console.log(`|---|${SIZES.map(() => '---|').join('')}---|`);
  for (const kind of Object.keys(QUOTATIONS)) {
    const cells = SIZES.map(size => inChild(enginePath, kind, size));
    const memory = (cells.at(-1).memory / SIZES.at(-1)).toFixed(1);
    console.log(`| ${kind} (${cells.at(-1).outcome}) | ${cells.map(cell => cell.ms.toFixed(1)).join(' | ')} | ${memory}x |`);
  }
  console.log('\n| adversarial input | CPU ms | outcome |\n|---|---|---|');
  for (const kind of Object.keys(ADVERSARIAL)) {
    const { ms, outcome } = inChild(enginePath, kind, 1_000_000);
    console.log(`| ${kind} | ${ms.toFixed(1)} | ${outcome} |`);
  }
}

/** Runs one measurement in its own process, so that memory and compiled code do not carry over. */
function inChild(enginePath, kind, size) {
  const output = execFileSync(process.execPath, ['--expose-gc', SELF, enginePath, kind, String(size)], { encoding: 'utf8' });
  return JSON.parse(output);
}

/** Generates text that resembles source code: unique lines with some nesting. */
function sourceOf(size) {
  const lines = [];
  for (let i = 0, length = 0; length < size; i++) {
    const line =
      i % 10 === 0
        ? `function handler${i}(request, response) {`
        : i % 10 === 9
          ? '}'
          : `  const value${i} = compute(request.part${i % 7}, ${i}) + "text ${i % 13}";`;
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

function quoteFrom(content) {
  const lines = content.split('\n');
  const first = Math.floor((lines.length * 0.8) / 10) * 10;
  const old = lines.slice(first, first + 9);
  return { old, next: old.with(4, '  const replaced = 1;') };
}

const joined = lines => lines.join('\n');

const QUOTATIONS = {
  exact: ({ old, next }) => [joined(old), joined(next)],
  'indentation changed': ({ old, next }) => [joined(old.map(line => `\t${line}`)), joined(next.map(line => `\t${line}`))],
  'smart quotes': ({ old, next }) => [joined(old), joined(next)].map(text => text.replaceAll('"', '\u201d')),
  'JSON escaped': ({ old, next }) => [joined(old), joined(next)].map(text => JSON.stringify(text).slice(1, -1)),
  'line forgotten': ({ old, next }) => [joined(old.toSpliced(1, 1)), joined(next.toSpliced(1, 1))],
  typo: ({ old, next }) => [joined(old), joined(next)].map(text => text.replaceAll('compute', 'compuet')),
  'not in the file': ({ old }) => [joined(old.map(line => line.replace(/[a-z]+/g, 'other'))), 'x'],
};

const ADVERSARIAL = {
  'one letter, long pattern of it': size => ['a'.repeat(size), `${'a'.repeat(size / 4)}b`, 'c'],
  'one letter, pattern with another first': size => ['a'.repeat(size), `b${'a'.repeat(size / 4)}`, 'c'],
  'one letter with spaces': size => ['a'.repeat(size), ' a'.repeat(size / 8), 'c'],
  'equal lines': size => ['  x = 1;\n'.repeat(size / 9), 'x = 1;\n  x = 2;\nx = 1;\n'.repeat(10), 'y'],
  'closing brackets': size => ['}\n'.repeat(size / 2), '}\n}\n{\n}\n}'.repeat(20), 'y'],
  'few kinds of lines': size => [
    Array.from({ length: size / 12 }, (_, i) => `line ${(i * 7919) % 97} abc`).join('\n'),
    Array.from({ length: 500 }, (_, i) => `line ${(i * 31) % 97} abd`).join('\n'),
    'y',
  ],
  'one long line': size => [`x${' + abc(1)'.repeat(size / 9)}`, ' + abc( 1 ) + abd(1)', 'y'],
  'lines alike': size => [
    Array.from({ length: size / 40 }, (_, i) => `const someValueHere = compute(${i}, left)`).join('\n'),
    'const someValueHeer = compute(x, left)',
    'y',
  ],
  'long quotation': size => {
    const text = sourceOf(size);
    return [
      text,
      text
        .slice(0, size / 10)
        .replaceAll('  const', 'const')
        .replaceAll('request', 'reqeust'),
      'y',
    ];
  },
  'dashes and dots': size => ['-.'.repeat(size / 2), '--..--'.repeat(100), 'y'],
  'combining marks': size => [`e${'\u0301'.repeat(size)}`, 'e \u0301\u0301', 'y'],
  backslashes: size => ['\\'.repeat(size), '\\\\n'.repeat(1000), 'y'],
};

/** Runs in the child: warms up on a small file, then measures CPU time and memory of one call. */
async function measureHere(enginePath, kind, size) {
  const { createRequire } = await import('node:module');
  const engine = createRequire(import.meta.url)(enginePath);
  const [content, old, next] =
    kind in ADVERSARIAL ? ADVERSARIAL[kind](size) : (text => [text, ...QUOTATIONS[kind](quoteFrom(text))])(sourceOf(size));
  const small = sourceOf(5000);
  if (kind in QUOTATIONS) for (let i = 0; i < 30; i++) engine.applyPatch(small, ...QUOTATIONS[kind](quoteFrom(small)));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const result = engine.applyPatch(content, old, next);
  const used = process.cpuUsage(cpu);
  const memory = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
  process.stdout.write(
    JSON.stringify({ ms: (used.user + used.system) / 1000, memory, outcome: result.ok ? result.strategy : result.code }),
  );
}

if (process.argv[1] === SELF && process.argv.length === 5) await measureHere(process.argv[2], process.argv[3], Number(process.argv[4]));

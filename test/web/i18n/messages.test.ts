import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatCost, formatCountdown, formatDuration, formatRelative, formatWhen } from '../../../web/src/i18n/format';
import { messagesFor } from '../../../web/src/i18n/messages';

/** Lists every text of a language with its path. */
function listTexts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value('1', '2'))]];
  return Object.entries(value as object).flatMap(([name, inner]) => listTexts(inner, `${path}/${name}`));
}

/** Reads the texts that load with a part of the page. They stand beside that part. */
function readLoadedOnDemand(): { en: object; 'zh-CN': object }[] {
  const root = join(__dirname, '../../../web/src');
  const files = globSync('**/*_texts.ts', { cwd: root }).filter(file => !/^(i18n|docs)\//.test(file));
  expect(files.length).toBeGreaterThan(0);
  return files.flatMap(file => Object.values(require(join(root, file)) as Record<string, { en: object; 'zh-CN': object }>));
}

const LANGUAGE_PAIRS = () => [{ en: messagesFor('en'), 'zh-CN': messagesFor('zh-CN') }, ...readLoadedOnDemand()];

describe('texts of the page', () => {
  it('gives each text a name of its own, across all screens', () => {
    const folder = join(__dirname, '../../../web/src/i18n');
    const screens = readdirSync(folder).filter(file => file.endsWith('_texts.ts') && file !== 'pair_texts.ts');
    const names = screens.flatMap(file =>
      Object.values(require(join(folder, file)) as Record<string, { en: object }>).flatMap(texts => Object.keys(texts.en)),
    );
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.sort()).toEqual(Object.keys(messagesFor('en')).sort());
  });

  it('has every text in both languages, none empty, and the Chinese ones in Chinese', () => {
    for (const texts of LANGUAGE_PAIRS()) {
      const english = new Map(listTexts(texts.en));
      const chinese = new Map(listTexts(texts['zh-CN']));
      expect([...chinese.keys()]).toEqual([...english.keys()]);
      expect([...english.values(), ...chinese.values()].filter(text => text.trim() === '')).toEqual([]);
      // Texts without letters only put two others together.
      const untranslated = [...chinese].filter(
        ([path, text]) => path !== '/appName' && /\p{L}/u.test(text) && !/\p{Script=Han}/u.test(text),
      );
      expect(untranslated).toEqual([]);
    }
  });

  it('uses full-width punctuation in Chinese', () => {
    const texts = LANGUAGE_PAIRS().flatMap(pair => listTexts(pair['zh-CN']).map(([, text]) => text));
    expect(texts.filter(text => /\p{Script=Han}[,;:?!]|[,;:?!]\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it('formats durations and countdowns for people', () => {
    const written = (locale: 'en' | 'zh-CN') => [0, 320.4, 4_200, 59_960, 125_000].map(ms => formatDuration(ms, locale));
    expect(written('en')).toEqual(['0 ms', '320 ms', '4.2 s', '1 min 0 s', '2 min 5 s']);
    expect(written('zh-CN')).toEqual(['0 毫秒', '320 毫秒', '4.2 秒', '1 分 0 秒', '2 分 5 秒']);
    expect(formatDuration(900, 'en', 0)).toBe('1 s');
    expect([-5, 900, 65_000, 300_000].map(formatCountdown)).toEqual(['0:00', '0:01', '1:05', '5:00']);
  });

  it('formats small and large costs', () => {
    expect([0.000_42, 0.0213, 0.5, 1.5, 12.345].map(usd => formatCost(usd, 'en'))).toEqual([
      '$0.00042',
      '$0.021',
      '$0.50',
      '$1.50',
      '$12.35',
    ]);
  });

  it('counts down from five minutes when the clocks differ a little', () => {
    expect([300_300, 299_700].map(formatCountdown)).toEqual(['5:00', '5:00']);
  });

  it('formats a point in time in its shortest clear form', () => {
    const now = new Date('2026-03-10T15:00:00');
    expect(formatWhen('2026-03-10T09:05:00', now, 'en')).toBe('09:05');
    expect(formatWhen('2026-03-08T09:05:00', now, 'en')).toBe('Sun');
    expect(formatWhen('2026-01-08T09:05:00', now, 'zh-CN')).toBe('1月8日');
    expect(formatWhen('2025-01-08T09:05:00', now, 'en')).toBe('Jan 8, 2025');
    expect(formatWhen('nonsense', now, 'en')).toBe('');
  });

  it('says how far a point in time is away, in the largest unit that fits', () => {
    const now = new Date('2026-03-10T15:00:00Z');
    const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
    expect([-20_000, -59 * 60_000, -26 * 3_600_000, 3 * 3_600_000].map(ms => formatRelative(at(ms), now, 'en'))).toEqual([
      'now',
      '59 minutes ago',
      'yesterday',
      'in 3 hours',
    ]);
    expect(formatRelative(at(-40 * 86_400_000), now, 'zh-CN')).toBe('上个月');
    expect(formatRelative('nonsense', now, 'en')).toBe('');
  });
});

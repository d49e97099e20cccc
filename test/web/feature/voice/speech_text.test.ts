import { chooseVoice, languageOf } from '../../../../web/src/feature/voice/choose_voice';
import { toSpeech } from '../../../../web/src/feature/voice/speech_text';
import { insertSpoken, placeAt, placeBehind } from '../../../../web/src/feature/voice/spoken_place';
import { writeWav } from '../../../../web/src/feature/voice/to_wav';
import { voiceTexts } from '../../../../web/src/feature/voice/voice_texts';

const speak = (markdown: string) => toSpeech(markdown, voiceTexts.en);

describe('what is read aloud', () => {
  it.each([
    ['# Title\n\nOne **bold** and *soft* word.', ['Title', 'One bold and soft word.']],
    ['Run this:\n\n```ts\nconst a = 1;\nlet b;\n```\nDone.', ['Run this:', 'Code block in ts, 2 lines.', 'Done.']],
    ['Unfinished:\n```\none', ['Unfinished:', 'Code block, 1 line.']],
    ['It is $E = mc^2$ and \\(a_1\\), which costs $5 and $6.', ['It is formula and formula, which costs $5 and $6.']],
    ['$$\n\\int x\n$$\nFine', ['formula', 'Fine']],
    ['| a | b |\n|---|:-:|\n| 1 | `two` |', ['a, b', '1, two']],
    ['See [the guide](https://example.org/a_b "x") or https://example.org/x/y.', ['See the guide or link to example.org']],
    ['- [x] done\n- [ ] open[^1]\n\n[^1]: A note.\n\n***\n', ['done', 'open', 'A note.']],
    ['snake_case_name and 2 * 3 * 4', ['snake_case_name and 2 * 3 * 4']],
    ['第一句。第二句！', ['第一句。', '第二句！']],
    ['![a cat](cat.png)', ['a cat']],
    ['---\n\n', []],
  ])('%j', (markdown, pieces) => expect(speak(markdown)).toEqual(pieces));

  it('is cut into pieces that browsers read to the end, without losing a word', () => {
    const sentence = Array.from({ length: 90 }, (_, i) => `word${i}${i % 9 === 8 ? ',' : ''}`).join(' ');
    const pieces = speak(`${sentence}.\n\n${'字'.repeat(450)}`);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(200);
    expect(pieces.join('').replaceAll(/\s/g, '')).toBe(`${sentence}.${'字'.repeat(450)}`.replaceAll(/\s/g, ''));
  });
});

describe('the voice', () => {
  it.each([
    ['Hello there', ['zh-CN', 'en-GB'], 'en-GB'],
    ['Guten Tag', ['de-DE', 'en'], 'de-DE'],
    ['用 TypeScript 写一个小项目', ['en-US'], 'zh-CN'],
    ['The word 你好 means hello', ['zh-CN', 'en-US'], 'en-US'],
    ['これは日本語です', ['en'], 'ja'],
    ['Привет, мир', ['en'], 'ru'],
    ['12', ['zh-CN'], 'en-US'],
  ])('of %j with %j speaks %s', (text, preferred, language) => expect(languageOf(text, preferred)).toBe(language));

  it('is one of the device before one of the network, then one of the region', () => {
    const voice = (name: string, lang: string, localService: boolean) => ({ name, lang, localService, default: false });
    const voices = [voice('far', 'en-US', false), voice('near', 'en_GB', true), voice('other', 'fr-FR', true)];
    expect(chooseVoice(voices, 'en-US')?.name).toBe('near');
    expect(chooseVoice([...voices, voice('best', 'en_US', true)], 'en-US')?.name).toBe('best');
    expect(chooseVoice(voices, 'ja')).toBeUndefined();
  });
});

describe('spoken words', () => {
  it('stand at the cursor, apart from their neighbours but for Chinese', () => {
    expect(insertSpoken(placeAt('', 9), ' hello')).toBe('hello');
    expect(insertSpoken(placeAt('say twice', 3), 'hello')).toBe('say hello twice');
    expect(insertSpoken(placeAt('say.', 3), 'hello')).toBe('say hello.');
    expect(insertSpoken(placeAt('你好', 2), '世界')).toBe('你好世界');
    expect(insertSpoken(placeAt('kept', 4), '')).toBe('kept');
  });

  it('come behind what the person typed meanwhile, each once', () => {
    expect(insertSpoken(placeBehind('hello, typed', 'hello'), 'hello world')).toBe('hello, typed world');
  });
});

it('writes samples as a WAV file of 16,000 samples a second', () => {
  const bytes = Buffer.from(writeWav(Float32Array.of(0, 1, -2, 0.5)));
  expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect([bytes.readUInt32LE(4), bytes.readUInt32LE(24), bytes.readUInt32LE(40)]).toEqual([44, 16_000, 8]);
  expect([0, 2, 4, 6].map(offset => bytes.readInt16LE(44 + offset))).toEqual([0, 32_767, -32_767, 16_384]);
});

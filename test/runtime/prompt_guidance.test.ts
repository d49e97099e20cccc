import fc from 'fast-check';
import { getToolBehaviorGuidance, getToolUseEnforcement, promptTexts } from '../../src/runtime/prompt_guidance';
import '../../src/builtin_tools';
import { getAllToolNames, getSchema } from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';
import type { ToolGuidance } from '../../src/tools/tool_prompt';

const ALL = getAllToolNames();
/** The prompt has no line about echo, a tool for trying the gateway out. */
const SPOKEN = ALL.filter(name => name !== 'echo');
const LOCALES = ['en', 'zh-CN'] as const;
const BASE = ['bash', 'read_file', 'write_file', 'list_dir', 'patch'];

/** Returns the tools that the text names and that are not in the list. */
const strangersIn = (text: string, toolNames: readonly string[]): string[] =>
  ALL.filter(name => !toolNames.includes(name) && new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`, 'i').test(text));

describe.each(LOCALES)('getToolUseEnforcement in %s (neta.prompt.enforcement)', locale => {
  const { scenariosTitle, checksTitle, rules, rulesWithoutTools } = promptTexts(locale);
  const scenarioLines = (toolNames: readonly string[]) =>
    (getToolUseEnforcement(toolNames, locale).split(scenariosTitle)[1] ?? '')
      .split('\n\n')[0]
      ?.split('\n')
      .filter(line => line.startsWith('- ')) ?? [];

  it.each(SPOKEN)('has a line about when to use %s', name => {
    const lines = scenarioLines([name]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
  });

  it('has one line per tool, after the rules', () => {
    // Whoever has clarify gets no line for escalate.
    expect(scenarioLines(ALL)).toHaveLength(SPOKEN.length - 1);
    const text = getToolUseEnforcement(ALL, locale);
    expect(text.indexOf(rules[0]?.text ?? '?')).toBeGreaterThanOrEqual(0);
    expect(text.indexOf(scenariosTitle)).toBeGreaterThan(text.indexOf(rules[0]?.text ?? '?'));
  });

  it('has another line about write_file beside patch', () => {
    const lineOf = (toolNames: string[]) => scenarioLines(toolNames).find(line => line.includes('→ write_file'));
    expect(lineOf(['write_file'])).not.toContain('patch');
    expect(lineOf(['write_file', 'patch'])).toContain('patch');
    expect(lineOf(['write_file', 'patch'])).not.toBe(lineOf(['write_file']));
  });

  it('has no scenarios and no rules for calling without tools', () => {
    const text = getToolUseEnforcement([], locale);
    expect(text).not.toContain(scenariosTitle);
    expect(text).not.toContain(checksTitle);
    for (const rule of rules) expect(text).not.toContain(rule.text);
    for (const rule of rulesWithoutTools) expect(text).toContain(rule.text);
  });

  it('has no scenarios for unknown tools', () => {
    expect(getToolUseEnforcement(['mcp_weather'], locale)).not.toContain(scenariosTitle);
  });

  it('has one line about bash, which leaves finding and calculating to other tools where there are any', () => {
    const lineOf = (toolNames: string[]) => scenarioLines(toolNames).filter(line => line.includes('→ bash'));
    for (const names of [['bash'], ['bash', 'search'], ['bash', 'calculator'], ['bash', 'file_list', 'search']])
      expect(lineOf(names)).toHaveLength(1);
    expect(lineOf(['bash', 'search'])).not.toEqual(lineOf(['bash']));
  });

  it('takes the line of a tool outside the catalog from its definition', () => {
    const tool = { name: 'book_train', label: 'Book', description: 'Books a seat (2nd class). It pays at once.\n# Not a title' };
    expect(getToolUseEnforcement(['book_train'], locale, [tool])).toMatch(/^- book_train: Books a seat \(2nd class\)\.$/m);
    const told = {
      ...tool,
      whenToUse: 'The person travels',
      translations: { 'zh-CN': { label: '', description: '', whenToUse: '用户要出行' } },
    };
    expect(getToolUseEnforcement(['book_train'], locale, [told])).toMatch(/^- (The person travels|用户要出行) → book_train[.。]$/m);
    expect(getToolUseEnforcement(['book_train'], locale, [{ ...tool, whenToUse: '' }])).not.toContain(scenariosTitle);
  });

  it('sorts lines by their order and includes each only under its condition', () => {
    const line = (en: string) => ({ en, 'zh-CN': en });
    const tool = { name: 'lint', label: '', description: '', promptOrder: 1, workspace: 'read' as const };
    const lint = {
      ...tool,
      whenToUse: [
        { ...line('check → lint'), lacks: ['bash'] },
        { ...line('check by command → lint'), needs: ['bash|terminal'] },
      ],
      beforeUse: [{ ...line('Save first.'), needs: ['workspace:change'] }],
    };
    const textOf = (names: string[]) => getToolUseEnforcement(names, locale, [lint]);
    expect(textOf(['list_dir', 'lint']).split(`${scenariosTitle}\n`)[1]).toMatch(/^- check → lint\n- /);
    expect(textOf(['lint', 'bash'])).toContain('- check by command → lint');
    expect(textOf(['lint', 'bash'])).not.toContain('check → lint');
    expect(textOf(['lint', 'list_dir'])).not.toContain('Save first.');
    expect(textOf(['lint', 'file_write'])).toContain('- Save first.');
  });

  it('asks for reading a file before changing it only when there is a tool to read it', () => {
    expect(getToolUseEnforcement(['read_file', 'patch'], locale)).toContain(checksTitle);
    expect(getToolUseEnforcement(['patch'], locale)).not.toContain(checksTitle);
  });
});

describe.each(LOCALES)('getToolBehaviorGuidance in %s (neta.prompt.behavior)', locale => {
  it.each(['todo', 'patch', 'clarify', 'memory_save', 'skill_manage'])('has a section for %s exactly when the tool is there', name => {
    const { title: titles } = (getSchema(name) as ToolSpec).howToUse as ToolGuidance;
    const title = titles[locale];
    expect(getToolBehaviorGuidance([name], locale)).toContain(title);
    expect(getToolBehaviorGuidance([name], locale)).toContain(name);
    expect(
      getToolBehaviorGuidance(
        ALL.filter(other => other !== name),
        locale,
      ),
    ).not.toContain(title);
  });

  it('says whether a question waits for the answer or ends the turn', () => {
    const [wait, text] = (['wait', 'text'] as const).map(mode => getToolBehaviorGuidance(['clarify'], locale, { clarify: mode }));
    const ends = locale === 'en' ? 'ends the turn' : '结束本轮';
    expect(wait).not.toContain(ends);
    expect(text).toContain(ends);
    expect(getToolBehaviorGuidance(['clarify'], locale)).toBe(wait);
  });

  it('has the section of a tool outside the catalog, such as one of a class', () => {
    const both = (text: string) => ({ en: text, 'zh-CN': text });
    const howToUse = { title: both('## Trains'), lines: [{ ...both('Ask for the date.'), needs: ['clarify'] }, both('Book once.')] };
    const tools = [{ name: 'book_train', label: '', description: '', howToUse }];
    expect(getToolBehaviorGuidance(['book_train'], locale, { tools })).toBe('## Trains\n- Book once.');
    expect(getToolBehaviorGuidance(['book_train', 'clarify'], locale, { tools })).toContain('## Trains\n- Ask for the date.\n- Book once.');
  });

  it('is empty when no tool has a section', () => {
    expect(getToolBehaviorGuidance([], locale)).toBe('');
    expect(getToolBehaviorGuidance(['bash', 'read_file'], locale)).toBe('');
  });
});

describe.each(LOCALES)('both texts in %s', locale => {
  it('never name a tool that is not in the list', () => {
    fc.assert(
      fc.property(fc.subarray(ALL), toolNames => {
        const text = `${getToolUseEnforcement(toolNames, locale)}\n${getToolBehaviorGuidance(toolNames, locale)}`;
        expect(strangersIn(text, toolNames)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('name none of the tools that a crew member lacks (neta.crew.tools)', () => {
    const text = `${getToolUseEnforcement(BASE, locale)}\n${getToolBehaviorGuidance(BASE, locale)}`;
    expect(strangersIn(text, BASE)).toEqual([]);
    for (const name of BASE) expect(text).toContain(name);
  });
});

it('is in English by default', () => {
  expect(getToolUseEnforcement(ALL)).toBe(getToolUseEnforcement(ALL, 'en'));
  expect(getToolBehaviorGuidance(ALL)).toBe(getToolBehaviorGuidance(ALL, 'en'));
});

it('says the same in both languages, line by line', () => {
  const shapeOf = (locale: 'en' | 'zh-CN') => {
    const texts = promptTexts(locale);
    const needs = (lines: readonly { needs?: readonly string[]; lacks?: readonly string[] }[]) =>
      lines.map(({ needs = [], lacks = [] }) => [needs, lacks]);
    return [
      needs(texts.identity),
      needs(texts.workspace.lines),
      needs(texts.limits.lines),
      needs(texts.rules),
      needs(texts.rulesWithoutTools),
      needs(texts.crew.master.lines),
      needs(texts.crew.member.lines),
    ];
  };
  expect(shapeOf('zh-CN')).toEqual(shapeOf('en'));
});

it.each([
  ['en', 'do not guess, ask → clarify.'],
  ['zh-CN', '不要猜，先问 → clarify。'],
] as const)('invites questions about unclear requests, and names one way to ask the person, in %s', (locale, line) => {
  const master = getToolUseEnforcement(['clarify', 'escalate'], locale);
  expect(master).toContain(line);
  expect(master).not.toContain('→ escalate');
  expect(getToolUseEnforcement(['escalate'], locale)).toContain('→ escalate');
});

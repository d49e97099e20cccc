import fc from 'fast-check';
import { getToolBehaviorGuidance, getToolUseEnforcement, promptTexts } from '../../src/runtime/prompt_guidance';
import { GUIDED_TOOLS } from '../../src/runtime/prompts/prompt_texts';
import { getAllToolNames } from '../../src/tools/catalog';

const ALL = getAllToolNames();
const LOCALES = ['en', 'zh-CN'] as const;
const BASE = ['bash', 'read_file', 'write_file', 'list_dir', 'patch'];

/** Tools that the text names as words and that are not in the list. */
const strangersIn = (text: string, toolNames: readonly string[]): string[] =>
  ALL.filter(name => !toolNames.includes(name) && new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`, 'i').test(text));

describe.each(LOCALES)('getToolUseEnforcement in %s (neta.prompt.enforcement)', locale => {
  const { scenariosTitle, checks, rules, rulesWithoutTools } = promptTexts(locale);
  const scenarioLines = (toolNames: readonly string[]) =>
    (getToolUseEnforcement(toolNames, locale).split(scenariosTitle)[1] ?? '')
      .split('\n\n')[0]
      ?.split('\n')
      .filter(line => line.startsWith('- ')) ?? [];

  it.each(ALL)('has a line about when to use %s', name => {
    const lines = scenarioLines([name]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
  });

  it('has one line per tool, after the rules', () => {
    expect(scenarioLines(ALL)).toHaveLength(ALL.length);
    const text = getToolUseEnforcement(ALL, locale);
    expect(text.indexOf(rules[0]?.text ?? '?')).toBeGreaterThanOrEqual(0);
    expect(text.indexOf(scenariosTitle)).toBeGreaterThan(text.indexOf(rules[0]?.text ?? '?'));
  });

  it('says something else about write_file when patch is there', () => {
    const lineOf = (toolNames: string[]) => scenarioLines(toolNames).find(line => line.includes('→ write_file'));
    expect(lineOf(['write_file'])).not.toContain('patch');
    expect(lineOf(['write_file', 'patch'])).toContain('patch');
    expect(lineOf(['write_file', 'patch'])).not.toBe(lineOf(['write_file']));
  });

  it('has no scenarios and no rules for calling without tools', () => {
    const text = getToolUseEnforcement([], locale);
    expect(text).not.toContain(scenariosTitle);
    expect(text).not.toContain(checks.title);
    for (const rule of rules) expect(text).not.toContain(rule.text);
    for (const rule of rulesWithoutTools) expect(text).toContain(rule.text);
  });

  it('has no scenarios for tools it knows nothing about', () => {
    expect(getToolUseEnforcement(['mcp_weather'], locale)).not.toContain(scenariosTitle);
  });

  it('wants a file read before it is changed only when it can be read', () => {
    expect(getToolUseEnforcement(['read_file', 'patch'], locale)).toContain(checks.title);
    expect(getToolUseEnforcement(['patch'], locale)).not.toContain(checks.title);
  });
});

describe.each(LOCALES)('getToolBehaviorGuidance in %s (neta.prompt.behavior)', locale => {
  it.each(GUIDED_TOOLS)('has a strategy for %s when it is there', name => {
    const { title } = promptTexts(locale).behaviors[name];
    expect(getToolBehaviorGuidance([name], locale)).toContain(title);
    expect(getToolBehaviorGuidance([name], locale)).toContain(name);
    expect(
      getToolBehaviorGuidance(
        ALL.filter(other => other !== name),
        locale,
      ),
    ).not.toContain(title);
  });

  it('is empty when no tool has one', () => {
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

  it('tell a crew member of none of the tools it lacks (neta.crew.tools)', () => {
    const text = `${getToolUseEnforcement(BASE, locale)}\n${getToolBehaviorGuidance(BASE, locale)}`;
    expect(strangersIn(text, BASE)).toEqual([]);
    for (const name of BASE) expect(text).toContain(name);
  });
});

it('speaks English when no locale is given', () => {
  expect(getToolUseEnforcement(ALL)).toBe(getToolUseEnforcement(ALL, 'en'));
  expect(getToolBehaviorGuidance(ALL)).toBe(getToolBehaviorGuidance(ALL, 'en'));
});

it('says the same in both languages, line by line', () => {
  const shapeOf = (locale: 'en' | 'zh-CN') => {
    const texts = promptTexts(locale);
    const needs = (lines: readonly { needs?: readonly string[]; lacks?: readonly string[] }[]) =>
      lines.map(({ needs = [], lacks = [] }) => [needs, lacks]);
    return [
      texts.identity.length,
      needs(texts.rules),
      needs(texts.rulesWithoutTools),
      needs(texts.scenarios),
      needs(texts.checks.lines),
      GUIDED_TOOLS.map(name => needs(texts.behaviors[name].lines)),
      needs(texts.crew.master.lines),
      needs(texts.crew.member.lines),
    ];
  };
  expect(shapeOf('zh-CN')).toEqual(shapeOf('en'));
});

import { readName, splitDocument, toSkillName, withName } from '../../../../web/src/feature/skills/skill_document';

describe('a SKILL.md', () => {
  it('is split into front matter and text', () => {
    expect(splitDocument('---\r\nname: a\r\n---\r\n# A\r\n')).toEqual({ frontMatter: 'name: a', text: '# A\r\n' });
    expect(splitDocument('# No front matter\n---\n')).toEqual({ frontMatter: '', text: '# No front matter\n---\n' });
  });

  it('gets its name in the front matter only', () => {
    expect(withName('---\nname: a\n---\nname: stays\n', 'fare$1')).toBe('---\nname: fare$1\n---\nname: stays\n');
    expect(withName('name: stays\n', 'b')).toBe('name: stays\n');
    expect(readName('---\nname: fare-1\n---\nname: other\n')).toBe('fare-1');
    expect(readName('name: none\n')).toBe('');
  });

  it('has a name of lower-case letters, digits and single hyphens', () => {
    expect(['Release Notes', '-- a__b', '旅行 Plan 2', 'x'.repeat(80)].map(toSkillName)).toEqual([
      'release-notes',
      'a-b',
      'plan-2',
      'x'.repeat(64),
    ]);
  });
});

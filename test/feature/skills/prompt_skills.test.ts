import { toPromptSkills } from '../../../src/feature/skills/prompt_skills';

const skillsOf = (count: number, description = 'Does it.') =>
  Array.from({ length: count }, (_, i) => ({ name: `skill-${String(i).padStart(4, '0')}`, description }));

describe('the skills of a prompt', () => {
  it('are all there when there are few', () => {
    expect(toPromptSkills(skillsOf(2))).toEqual({ skills: skillsOf(2), moreSkills: [] });
  });

  it('are at most 50; further ones are named', () => {
    const { skills, moreSkills } = toPromptSkills(skillsOf(53));
    expect([skills.length, moreSkills]).toEqual([50, ['skill-0050', 'skill-0051', 'skill-0052']]);
  });

  it('have at most 12,000 characters, and each description at most 500', () => {
    const { skills, moreSkills } = toPromptSkills(skillsOf(40, 'x'.repeat(1_024)));
    expect(skills[0]?.description).toBe(`${'x'.repeat(500)}...`);
    expect(skills.reduce((sum, { name, description }) => sum + name.length + description.length, 0)).toBeLessThanOrEqual(12_000);
    expect([skills.length, skills.length + moreSkills.length]).toEqual([23, 40]);
  });

  it('name no more than 2,000 characters of further skills', () => {
    expect(toPromptSkills(skillsOf(500)).moreSkills).toHaveLength(200);
  });
});

/** Chooses the text about skills in the prompt, within its budget. */
import type { PromptSkillList } from '../../service/agent/agent_skills';
import { clipStart } from '../../utils/clip_text';

const MAX_SKILLS = 50;
const MAX_DESCRIPTION_UNITS = 500;
/** About 3,000 tokens. */
const MAX_UNITS = 12_000;
const MAX_MORE_UNITS = 2_000;

/** Takes the skills in their order until 50 skills or 12,000 characters are used up, then names of further skills up to 2,000 characters. */
export function toPromptSkills(skills: readonly { name: string; description: string }[]): PromptSkillList {
  let units = 0;
  const shown: { name: string; description: string }[] = [];
  for (const { name, description } of skills.slice(0, MAX_SKILLS)) {
    const line = { name, description: clipDescription(description) };
    units += name.length + line.description.length;
    if (units > MAX_UNITS) break;
    shown.push(line);
  }
  return { skills: shown, moreSkills: namesWithin(skills.slice(shown.length)) };
}

function clipDescription(description: string): string {
  const clipped = clipStart(description, MAX_DESCRIPTION_UNITS);
  return clipped === description ? description : `${clipped}...`;
}

function namesWithin(skills: readonly { name: string }[]): string[] {
  let units = 0;
  const end = skills.findIndex(({ name }) => {
    units += name.length;
    return units > MAX_MORE_UNITS;
  });
  return (end === -1 ? skills : skills.slice(0, end)).map(({ name }) => name);
}

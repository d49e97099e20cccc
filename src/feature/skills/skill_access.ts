/** Gives the tools of one call access to the skills of its tenant. */
import type { Actor } from '../../port/principal';
import { decodeText } from '../../tools/text_codec';
import { visibleText } from './document/skill_document';
import type { SkillService } from './skill_service';
import { type SkillAccess, type SkillChange, type SkillChanged, SkillRefusal } from './tools/skill_access';

/** Returns an object without state, so a run may make one for each turn. */
export function skillAccessOf(skills: SkillService, actor: Actor): SkillAccess {
  const { tenantId } = actor;
  return {
    async readSkill(name) {
      const { record, instructions } = await skills.readInstructions(tenantId, name);
      const files = record.files.filter(path => path !== record.documentPath);
      return { name, instructions: visibleText(instructions), files, tools: record.tools };
    },
    async readSkillFile(name, path) {
      const bytes = await skills.readFile(tenantId, name, { path, isForModel: true });
      const decoded = decodeText(Buffer.from(bytes));
      if (decoded.kind === 'text') return decoded.text;
      throw new SkillRefusal('invalid', { en: `${path} is not a text file.`, 'zh-CN': `${path} 不是文本文件。` }, '/path');
    },
    changeSkill: (change, signal) => changeSkill(skills, actor, { change, signal }),
  };
}

async function changeSkill(
  skills: SkillService,
  actor: Actor,
  { change, signal }: { change: SkillChange; signal: AbortSignal },
): Promise<SkillChanged> {
  switch (change.action) {
    case 'create':
    case 'update':
      await skills.writeSkill(actor, change.name, { content: change.content, mode: change.action });
      return {};
    case 'patch':
      return { diff: await skills.patchSkill(actor, change.name, { ...change, signal }) };
    case 'delete':
      await skills.removeSkill(actor, change.name);
      return {};
    case 'enable':
    case 'disable':
      await skills.switchSkill(actor, change.name, { enabled: change.action === 'enable', ownOnly: true });
      return {};
  }
}

/** Encodes skills for the REST door. */
import type { Locale } from '../../port/store/sessions';
import type { Bilingual } from '../../utils/bilingual';
import { describeSkill, type SkillRecord } from './skill_catalog';

/** `locale`: of the description and of the problems. `active`: names of the skills that a session has read. */
export function toWireSkill(record: SkillRecord, locale: Locale, active?: readonly string[]) {
  const { name, source, files, tools, enabled, problems, warnings } = record;
  const description = describeSkill(record, locale);
  const inLanguage = (texts: readonly Bilingual[]) => texts.map(text => text[locale]);
  const mistakes = { problems: inLanguage(problems), warnings: inLanguage(warnings) };
  return { name, description, source, files, tools, enabled, ...mistakes, active: active?.includes(name) };
}

/** `content`: the bytes of SKILL.md. */
export function toWireSkillDetail(record: SkillRecord, locale: Locale, content: Uint8Array | undefined) {
  const { license, compatibility, metadata } = record.document ?? {};
  return {
    ...toWireSkill(record, locale),
    content: content && isText(content) ? Buffer.from(content).toString('utf8') : undefined,
    license,
    compatibility,
    metadata: metadata && Object.keys(metadata).length > 0 ? metadata : undefined,
  };
}

/** Returns true for valid UTF-8 without NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

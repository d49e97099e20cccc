/** The routes of skills. Every failure rejects with a RequestError. */
import { API_BASE, callRest, requestRest } from '../../api/call_rest';
import { RequestError } from '../../api/request_error';
import type { Page } from '../../api/rest_types';

export interface SkillSummary {
  name: string;
  description: string;
  /** `config`: from the operator, read-only. `agent`: made by the agent or here. */
  source: 'config' | 'agent';
  /** Paths inside the folder of the skill. */
  files: readonly string[];
  /** Tools that the skill asks for. */
  tools: readonly string[];
  enabled: boolean;
  /** Sentences that name the file and often its line. */
  problems: readonly string[];
  /** Mistakes with which the skill can be used all the same. */
  warnings: readonly string[];
}

export interface Skill extends SkillSummary {
  /** The whole SKILL.md; absent when it cannot be read. */
  content?: string;
}

/** Bytes up to which a text file is shown. Larger files, and files that are not text, are offered as a download. */
const MAX_SHOWN = 500_000;

export function listSkills(cursor?: string): Promise<Page<SkillSummary>> {
  return callRest('GET', cursor ? `/skills?cursor=${encodeURIComponent(cursor)}` : '/skills');
}

export function getSkill(name: string): Promise<Skill> {
  return callRest('GET', pathOf(name));
}

/** Writes a whole SKILL.md; creates the skill when there is none. */
export function writeSkill(name: string, content: string): Promise<Skill> {
  return callRest('PUT', pathOf(name), { content });
}

/** Resolves with whether there is a skill with this name. */
export async function hasSkill(name: string): Promise<boolean> {
  try {
    await getSkill(name);
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'not_found') return false;
    throw error;
  }
}

export function switchSkill(name: string, enabled: boolean): Promise<SkillSummary> {
  return callRest('PATCH', pathOf(name), { enabled });
}

export function deleteSkill(name: string): Promise<void> {
  return callRest('DELETE', pathOf(name));
}

export const skillFileHref = (name: string, path: string): string => API_BASE + filePath(name, path);

/** Resolves with the text of a file, or with undefined when it is too large or not text. */
export async function readSkillFile(name: string, path: string): Promise<string | undefined> {
  const bytes = await (await requestRest('GET', filePath(name, path))).arrayBuffer();
  if (bytes.byteLength > MAX_SHOWN) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const pathOf = (name: string): string => `/skills/${encodeURIComponent(name)}`;
const filePath = (name: string, path: string): string => `${pathOf(name)}/files/${path.split('/').map(encodeURIComponent).join('/')}`;

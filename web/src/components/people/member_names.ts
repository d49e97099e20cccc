/** The names of those who take part in a chat or with whom something is shared: people, roles and groups. Pure. */
import type { Locale } from '../../platform/preferences';
import type { AppState } from '../../state/app_state';
import { nameIn } from '../../state/chat_people';
import { sharingTexts } from './sharing_texts';

export type NameState = Pick<AppState, 'me' | 'peopleNames'>;

const GROUP = 'group:';

/** Returns the handle of the person that the text names: `Anna (@anna)`, `@anna`, or a name that one person has. Other texts stay as they are. */
export function toHandle(text: string, names: Readonly<Record<string, string>>): string {
  const typed = text.trim();
  const inBrackets = /\((@[^()\s]+)\)$/.exec(typed)?.[1];
  if (inBrackets !== undefined) return inBrackets;
  const same = Object.keys(names).filter(handle => names[handle]?.toLowerCase() === typed.toLowerCase());
  const [only] = same;
  return only !== undefined && same.length === 1 ? only : typed;
}

/** Returns the name of a person for a handle, and words for a role or a group. */
export const nameOfMember = (state: NameState, member: string, locale: Locale): string =>
  member.startsWith('@') ? nameIn(state, member) : nameRole(member, locale);

/** Returns words for the name of a role or for `group:<name>`. */
export function nameRole(member: string, locale: Locale): string {
  const texts = sharingTexts[locale];
  return member.startsWith(GROUP) ? texts.group(member.slice(GROUP.length)) : texts.role(member);
}

import type { Messages } from '../../i18n/messages';

/** Returns the short title of a tool for people: ours, that of the tool, or its name in words. */
export function labelOf({ name, label }: { name: string; label?: string }, messages: Messages): string {
  return messages.toolLabels[name] ?? (label || inWords(name));
}

/** "search_files" as "Search files". */
function inWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

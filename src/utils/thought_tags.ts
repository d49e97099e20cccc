/** The tags between which models write their thoughts when their server does not take them out of the text. */
export const THOUGHT_TAGS = ['think', 'thinking', 'thought', 'reasoning'] as const;

/** End tags of thoughts, such as those whose beginning stood in the prompt. */
export const THOUGHT_ENDS: readonly string[] = THOUGHT_TAGS.map(name => `</${name}>`);

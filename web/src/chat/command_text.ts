/** A command in the message field: nothing but a slash and the beginning of a name. */
const COMMAND = /^\/([\p{L}\p{N}-]{0,40})$/u;

/** Returns what stands behind the slash; undefined when the text is no command. */
export const findCommand = (text: string): string | undefined => COMMAND.exec(text)?.[1];

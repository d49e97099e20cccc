/** Says in Chinese what a message of JSON.parse says: whether the text ends too early, and where the error is. */
export function syntaxErrorZh(message: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  const isShort = /^Unexpected end|^Unterminated/.test(message);
  const what = isShort ? '内容不完整' : '语法错误';
  return position === undefined ? what : `${what}，位置 ${position}`;
}

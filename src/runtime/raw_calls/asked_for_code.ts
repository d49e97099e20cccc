/**
 * Tells from the person's message, and from the words before a call, whether JSON or code in an answer is what the person asked for. A short list
 * of words in English and Chinese; names of files such as `package.json` do not count.
 */

/** show: the person wants to see code, JSON or an example. mention: the message has a word for code. */
export type CodeWish = 'show' | 'mention' | 'none';

const EXAMPLE = /(?<![\w./-])(?<!for )(?:json|examples?|samples?|snippets?)(?![\w/-]|\.\w)|示例|例子|样例|范例|举例|样本/i;
const CODE = /(?<![\w./-])(?:code|codes|scripts?|source)(?![\w/-]|\.\w)|代码|脚本|源码/i;
const SHOW_CODE =
  /(?<![\w./-])(?:show|give|write|print|provide|generate|create|output|return|draft|paste|display|want|need|see)\b[^.!?\n]{0,60}(?<![\w./-])(?:code|codes|scripts?|source)(?![\w/-]|\.\w)|[写给看要](?:[^。！？\n]{0,20})(?:代码|脚本|源码)|(?:展示|输出|生成|提供|编写)[^。！？\n]{0,20}(?:代码|脚本|源码)/i;
/** A question about the form of a call, not a wish to make a call: the two words stand close together. */
const CALL_FORM =
  /(?:examples?|samples?|syntax|format) (?:of|for) [^.?!\n]{0,40}(?:tool|function)[ _-]?calls?|(?:tool|function)[ _-]?calls?[^.?!\n]{0,40}(?:(?<!to )format|examples?|samples?|syntax|looks? like|written)(?![\w/-]|\.\w)|(?:工具调用|函数调用)[^。！？\n]{0,15}(?:示例|例子|样例|范例|格式|语法|怎么写|如何写|什么样)(?!\.\w)|调用[^。！？\n]{0,20}的[^。！？\n]{0,6}(?:示例|例子|样例|范例|格式|写法)(?!\.\w)/i;
/** Words that introduce an example, at the end of the text before it. */
const EXAMPLE_LEAD =
  /(?:for example|for instance|e\.g\.|such as|(?:an|this|following|another|one) example(?: of [^\n:：]{0,60})?|looks? like(?: this)?|(?:^|\n)[*#\s]*(?:example|sample|syntax)[^\n:：]{0,40}|例如|比如|譬如|形如|(?:格式|语法|写法|示例|例子|样例)(?:如下所示|如下|是这样的|是|为)?|长这样|像这样)[*\s]*[:：,，(（]?[*\s]*$/i;
const MAX_LEAD_UNITS = 160;

/** Says whether the message asks for code, JSON or an example. */
export function readCodeWish(message: string): CodeWish {
  if (EXAMPLE.test(message) || SHOW_CODE.test(message)) return 'show';
  return CODE.test(message) ? 'mention' : 'none';
}

/** Says whether the message asks how a tool call is written. */
export const asksForCallForm = (message: string): boolean => CALL_FORM.test(message);

/** Says whether the text before a call introduces it as an example. */
export const isIntroducedAsExample = (textBefore: string): boolean => EXAMPLE_LEAD.test(textBefore.slice(-MAX_LEAD_UNITS));

/** Notes of an approval card, which no other page needs. */
import { pairTexts } from '../../i18n/pair_texts';

export const approvalNotes = pairTexts({
  en: {
    diff: 'The change is shown for the file as it was when the agent asked. If the file changes before you decide, the call does not run.',
    sessionScope: {
      exact: '“Allow for this session” covers only this exact call, in this chat.',
      rule: '“Allow for this session” covers every call of this tool that the rule asks about, in this chat.',
      none: 'In this terminal the same command can have another effect later, so you are asked each time.',
    },
  },
  'zh-CN': {
    diff: '所示改动以智能体询问时的文件为准。如果文件在你决定之前发生变化，调用不会执行。',
    sessionScope: {
      exact: '“本会话内同意”只包括本对话中完全相同的调用。',
      rule: '“本会话内同意”包括本对话中这条规则对该工具询问的一切。',
      none: '在此终端中，同样的命令之后可能产生不同的效果，因此每次都会询问。',
    },
  },
});

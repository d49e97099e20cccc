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
    otherPart: 'The owner and the approvers of this chat decide this.',
    oneCall: 'A rule asks colleagues about exactly this call.',
    progress: (count: number, needed: number, names: readonly string[]) =>
      `${count} of ${needed} said yes${count === 0 ? '' : `: ${names.join(', ')}`}.`,
    notBy: (names: readonly string[]) => `The yes of ${names.join(', ')} does not count: their message caused the call.`,
    askedFirst: (to: string) => `${to} is asked first.`,
    escalated: (to: string) => `Nobody decided in time, so ${to} is asked, too.`,
    refused: {
      approval_by_requester: 'Your own message caused this call, so a colleague must allow it.',
      approval_given: 'You have said yes already. It waits for the yes of others.',
    },
  },
  'zh-CN': {
    diff: '所示改动以智能体询问时的文件为准。如果文件在你决定之前发生变化，调用不会执行。',
    sessionScope: {
      exact: '“本会话内同意”只包括本对话中完全相同的调用。',
      rule: '“本会话内同意”包括本对话中这条规则对该工具询问的一切。',
      none: '在此终端中，同样的命令之后可能产生不同的效果，因此每次都会询问。',
    },
    otherPart: '由此对话的所有者和审批者决定。',
    oneCall: '规则要求同事就此次调用作出决定。',
    progress: (count, needed, names) => `需要 ${needed} 人同意，已有 ${count} 人${count === 0 ? '' : `：${names.join('、')}`}。`,
    notBy: names => `${names.join('、')} 的同意不算数：此次调用由其消息引发。`,
    askedFirst: to => `首先询问 ${to}。`,
    escalated: to => `未及时作出决定，因此也询问 ${to}。`,
    refused: {
      approval_by_requester: '此次调用由你自己的消息引发，需要同事来批准。',
      approval_given: '你已经同意过，正在等待其他人同意。',
    },
  },
});

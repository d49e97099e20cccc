/** Words that say nothing about the subject of a text, as tokens of search_tokens.ts: words of English, pairs of Chinese characters. */
const COMMON = new Set(
  (
    'a an and any are as at be been but by can could did do doe doesnt dont for from get had has have he her him his how i if im in into is it its ' +
    'just let me my no not of on or our please she should so some than that the their them then there these they thi this those to too us was we ' +
    'were what when where which who why will with would you your about also know want need tell make ' +
    '什么 怎么 怎样 为什 是什 么样 我的 你的 他的 她的 它的 我们 你们 他们 这个 那个 这些 那些 一个 一些 一下 可以 不是 没有 就是 是不 还是 知道 道我 ' +
    '请你 帮我 告诉 诉我 关于 以及 如果 因为 所以 但是 的是 是我 我是 你是 想要 需要 有什 哪些 哪个'
  ).split(' '),
);

export const isCommonWord = (token: string): boolean => COMMON.has(token);

/** The group of the routes of this feature in the document of the API. */
export const REPLAY_TAG = {
  name: 'replay',
  description: { en: 'Runs again, from their recordings, and suites of them.', 'zh-CN': '从录制重放运行，以及由它们组成的测试集。' },
};

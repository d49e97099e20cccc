/** What pages and the service worker tell each other. Pages import it too, so it uses no type of the worker. */

/** From a page that has just opened: the files that it has loaded so far. */
export interface PageOpened {
  type: 'page_opened';
  /** Their addresses. */
  files: readonly string[];
}

/** To an open page: show this chat. */
export interface OpenSession {
  type: 'open_session';
  sessionId: string;
}

/** To a chat page that is visible: does the person of this device see there what waits? The page answers true or false on the port of the message. */
export interface AskWhoLooks {
  type: 'who_looks';
}

/** The `data` of a notification. */
export interface NoticeData {
  /** '' when the notification belongs to no chat. */
  sessionId: string;
  /** It tells of a question or an approval: when that is over, a page closes the notification. */
  waits?: boolean | undefined;
  /** The question or the approval; absent when the page does not know it. */
  requestId?: string | undefined;
  /** The person is asked this alone, and does not see the chat. */
  chatHidden?: boolean | undefined;
}

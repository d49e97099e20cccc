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

/** The `data` of a notification of a page. */
export interface NoticeData {
  sessionId: string;
}

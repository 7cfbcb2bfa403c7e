/**
 * Where spreadsheets can read a formula (https://owasp.org/www-community/attacks/CSV_Injection): at the beginning of a text, and after
 * a semicolon, a tab or a line break, because many split a file there. It is the source of a regular expression that matches the
 * empty place before such a text, so that the console can have it as plain data.
 */
export const csvFormulaSource = '^(?=[=+\\-@\\t\\r\\n＝＋－＠])|(?<=[;\\t\\r\\n])(?=[=+\\-@＝＋－＠])';

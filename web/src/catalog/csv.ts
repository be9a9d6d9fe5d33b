// A list as a table for a spreadsheet.

/**
 * One field of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in
 * front: what somebody named their machine is not run on the reader's computer.
 */
export function field(value: string | number | boolean | null): string {
  if (typeof value === 'number') return String(value);
  const text = String(value ?? '');
  const safe = /^[\s\u0000]*[=+\-@|%\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** With a mark of its encoding, which spreadsheets want to see. */
export const csv = (rows: readonly (readonly (string | number | boolean | null)[])[]): string => `\uFEFF${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;

export function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** How long patterns have run, in milliseconds; shared by all content that is checked in one go. */
export interface PatternTime {
  spent: number;
}

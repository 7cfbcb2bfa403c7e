import { Logging, LogLevel } from 'mediabunny';

// mediabunny writes warnings about odd files to the console, which is the log of a function.
Logging.level = LogLevel.Silent;

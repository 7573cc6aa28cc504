/** Scripts that build, package or release a program, by their place and name: whoever runs them works on it, with rights of their own. */

const FOLDER =
  /(?:^|[/\\])(?:(?:build-?aux|build-?scripts?|release-?(?:scripts|tools)|debian|autotools|m4)[/\\]|build[/\\][^/\\]+\.(?:sh|bash)$)/i

/** `autogen.sh`, `configure`, the `extconf.rb` of a gem. */
const NAME = /(?:^|[/\\])(?:(?:autogen|bootstrap|buildconf)(?:\.(?:sh|bash))?|configure(?:\.(?:sh|ac|in))?|extconf\.rb)$/i

export const isBuildFile = (filename: string): boolean => FOLDER.test(filename) || NAME.test(filename)

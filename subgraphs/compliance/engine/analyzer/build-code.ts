/** Scripts that build, package or release a program, by their place and name: whoever runs them works on it, with rights of their own. */

const FOLDER =
  /(?:^|[/\\])(?:(?:build-?aux|build-?scripts?|release-?(?:scripts|tools)|debian|autotools|m4)[/\\]|(?:build[/\\]|(?:hack|contrib|vagrant|\.?ci|\.github)[/\\](?:[^/\\]+[/\\]){0,3})[^/\\]+\.(?:sh|bash)$)/i

/** `autogen.sh`, `configure`, `build1-5`, the `extconf.rb` of a gem. */
const NAME =
  /(?:^|[/\\])(?:(?:autogen|bootstrap|buildconf|(?:make-?|mk-?)release|release-tool|mk-?image(?:-[\w-]{1,20})?)(?:\.(?:sh|bash))?|configure(?:\.(?:sh|ac|in))?|(?:build|release)[\w-]{0,16}|mkosi\.(?:build|prepare|postinst|finalize)|extconf\.rb)$/i

export const isBuildFile = (filename: string): boolean => FOLDER.test(filename) || NAME.test(filename)

// Tries patterns on texts: a line of each has both in base64. Prints whether the pattern is found in the text, and whether it fits all of it.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func decoded(part string) string {
	text, err := base64.StdEncoding.DecodeString(part)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func digit(isTrue bool) int {
	if isTrue {
		return 1
	}
	return 0
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		pattern, text, _ := strings.Cut(lines.Text(), ",")
		tried := regexp.MustCompile(decoded(pattern))
		whole := regexp.MustCompile("^(?:" + decoded(pattern) + ")$")
		fmt.Printf("%d%d\n", digit(tried.MatchString(decoded(text))), digit(whole.MatchString(decoded(text))))
	}
}

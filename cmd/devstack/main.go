// Command devstack runs the whole platform on this machine, for development:
// what `make run` starts. Flags and wiring only.
package main

import (
	"io"

	"github.com/spf13/cobra"

	"equipment-platform/internal/config"
	"equipment-platform/internal/devstack"
	"equipment-platform/internal/program"
)

func main() {
	var stack devstack.Stack
	root := program.Root("devstack", "The whole platform on this machine, for development", func(w io.Writer) {
		config.Describe[config.Devstack](w)
	})
	root.RunE = func(c *cobra.Command, _ []string) error {
		settings, err := config.Load[config.Devstack]()
		if err != nil {
			return err
		}
		if stack.Variables, err = config.Variables(); err != nil {
			return err
		}
		stack.WebAddr, stack.DevKey, stack.Kafka = settings.WebAddr, settings.Development.DevKey, settings.Kafka
		stack.FilesURL, stack.UsersURL = settings.FilesURL, settings.UsersURL
		stack.Out, stack.Log = c.OutOrStdout(), program.Logger(settings.Process)
		return stack.Run(c.Context())
	}
	root.AddCommand(eventCommand(&stack.Dir))
	root.PersistentFlags().StringVar(&stack.Dir, "dir", ".local", "where the data lives")
	root.Flags().StringVar(&stack.Binaries, "bin", "bin", "where the programs are")
	root.Flags().StringVar(&stack.WebRoot, "web", "web/dist", "built assets of the web app")
	program.Main(root)
}

// Package config turns environment variables into typed settings, once, at
// start. A `.env` file in the working directory is read too; the environment
// wins over it. A bad value is one line that names the variable.
//
// This file: the mechanism. The parts stand in settings.go, what each program
// reads in programs.go. Nothing of the house is imported here, so that every
// package may take its part.
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"
)

// validator is what settings with rules beyond their types have.
type validator interface{ validate() error }

// Load reads the settings T from the environment and `.env`.
func Load[T any]() (T, error) {
	environment, err := Variables()
	if err != nil {
		var none T
		return none, err
	}
	return From[T](environment)
}

// Variables are all variables of the environment and `.env`, for a program that
// passes some on to others.
func Variables() (map[string]string, error) {
	environment := map[string]string{}
	if file, err := godotenv.Read(); err == nil {
		environment = file
		if err := exportStandard(file); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf(".env cannot be read: %w", err)
	}
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		environment[name] = value
	}
	return environment, nil
}

// exportStandard puts the OTEL_ variables of the file into the environment: the
// OpenTelemetry SDK reads them there, by itself.
func exportStandard(file map[string]string) error {
	for name, value := range file {
		if _, set := os.LookupEnv(name); !set && strings.HasPrefix(name, "OTEL_") {
			if err := os.Setenv(name, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// From reads the settings T from a map of variables.
func From[T any](environment map[string]string) (T, error) {
	var settings T
	// an empty variable is the same as none: deployments cannot always leave one out
	set := map[string]string{}
	for name, value := range environment {
		if strings.TrimSpace(value) != "" {
			set[name] = value // not trimmed: a passage prefix ends in a space
		}
	}
	if err := env.ParseWithOptions(&settings, env.Options{Environment: set}); err != nil {
		return settings, oneLine(err, reflect.TypeOf(settings))
	}
	if err := validateAll(reflect.ValueOf(settings)); err != nil {
		return settings, err
	}
	return settings, nil
}

// validateAll runs the rules of the settings and of all parts they are made of.
func validateAll(v reflect.Value) error {
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		if err := validateAll(v.Field(i)); err != nil {
			return err
		}
	}
	if r, ok := v.Interface().(validator); ok {
		return r.validate()
	}
	return nil
}

// oneLine names the variable, not the Go field, of the first error.
func oneLine(err error, t reflect.Type) error {
	var all env.AggregateError
	if errors.As(err, &all) && len(all.Errors) > 0 {
		err = all.Errors[0]
	}
	var missing env.VarIsNotSetError
	var empty env.EmptyVarError
	var parse env.ParseError
	switch {
	case errors.As(err, &missing):
		return fmt.Errorf("%s is required", missing.Key)
	case errors.As(err, &empty):
		return fmt.Errorf("%s is required", empty.Key)
	case errors.As(err, &parse):
		name := parse.Name
		for _, f := range fields(t, "") {
			if f.field == parse.Name && f.kind == parse.Type {
				name = f.variable
			}
		}
		return fmt.Errorf("%s is not a valid %s: %w", name, kindName(parse.Type), parse.Err)
	default:
		return err
	}
}

func kindName(t reflect.Type) string {
	switch t.String() {
	case "time.Duration":
		return "duration (such as 20s or 5m)"
	case "int", "int32", "int64":
		return "whole number"
	case "float64":
		return "number"
	case "bool", "config.Switch":
		return "switch (on or off)"
	case "config.Networks":
		return "list of CIDRs"
	case "slog.Level":
		return "log level (debug, info, warn or error)"
	default:
		return t.String()
	}
}

// field is a variable and the Go field that it fills.
type field struct {
	field                    string
	kind                     reflect.Type
	variable, fallback, help string
}

// fields lists the variables of settings of a type and of all their parts.
func fields(t reflect.Type, prefix string) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("env"), ",")
		if name == "" {
			if f.Type.Kind() == reflect.Struct {
				out = append(out, fields(f.Type, prefix+f.Tag.Get("envPrefix"))...)
			}
			continue
		}
		fallback := f.Tag.Get("envDefault")
		switch {
		case strings.Contains(options, "required"):
			fallback = "required"
		case fallback == "":
			fallback = "empty"
		}
		out = append(out, field{f.Name, f.Type, prefix + name, fallback, f.Tag.Get("help")})
	}
	return out
}

// Describe writes a table of every variable of the settings T with its
// default and meaning, for --help.
func Describe[T any](w io.Writer) {
	var t T
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "Environment variable\tDefault\tMeaning")
	for _, f := range fields(reflect.TypeOf(t), "") {
		fmt.Fprintf(tw, "%s\t%s\t%s\n", f.variable, f.fallback, f.help)
	}
	_ = tw.Flush() // the writer is a terminal or a buffer; nothing to do about a failure
}
